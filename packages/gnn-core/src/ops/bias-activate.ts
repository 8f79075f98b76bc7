import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, elu, leakyRelu, relu, type Tensor1D, type Tensor2D, tanh, tidy } from "../backends/tf.ts";

export type BiasActivation = "none" | "relu" | "elu" | "leakyRelu" | "tanh";

export interface ActivationAttrs {
  readonly activation: BiasActivation;
}

/**
 * out = act(x + bias), bias on every row. ELU has alpha 1, leaky ReLU slope 0.2.
 *
 * @param x     float32 [n, dim]
 * @param bias  float32 [dim]
 * @returns     float32 [n, dim], owned by the caller
 */
export function biasActivate(x: Tensor2D, bias: Tensor1D, activation: BiasActivation): Tensor2D {
  if (!hasKernel("BiasActivate")) return tidy(() => compose(add<Tensor2D>(x, bias), activation));
  return runKernel("BiasActivate", { x, bias }, { activation } satisfies ActivationAttrs)[0] as Tensor2D;
}

function compose(x: Tensor2D, activation: BiasActivation): Tensor2D {
  if (activation === "relu") return relu(x);
  if (activation === "elu") return elu(x);
  if (activation === "leakyRelu") return leakyRelu(x, 0.2);
  return activation === "tanh" ? tanh(x) : x;
}
