import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import {
  add,
  elu,
  getBackend,
  leakyRelu,
  relu,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tanh,
  tidy,
} from "../backends/tf.ts";

export type BiasActivation = "none" | "relu" | "elu" | "leakyRelu" | "tanh";
const order: readonly BiasActivation[] = ["none", "relu", "elu", "leakyRelu", "tanh"];

interface ActivationAttrs {
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
  if (getBackend() !== "native") return tidy(() => compose(add<Tensor2D>(x, bias), activation));
  return runNativeKernel("BiasActivate", { x, bias }, { activation } satisfies ActivationAttrs)[0] as Tensor2D;
}

function compose(x: Tensor2D, activation: BiasActivation): Tensor2D {
  if (activation === "relu") return relu(x);
  if (activation === "elu") return elu(x);
  if (activation === "leakyRelu") return leakyRelu(x, 0.2);
  return activation === "tanh" ? tanh(x) : x;
}

registerNativeKernel<"x" | "bias", ActivationAttrs>("BiasActivate", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.x.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const activation = order.indexOf(attrs.activation);
  addon.biasActivate(rows, dim, backend.floats(inputs.x), backend.floats(inputs.bias), activation, out.values);
  return out.info;
});

registerNativeKernel<"dy" | "out", ActivationAttrs>("BiasActivateGrad", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.dy.shape as [number, number];
  const dx = backend.allocate([rows, dim]);
  const dBias = backend.allocate([dim]);
  const activation = order.indexOf(attrs.activation);
  const out = backend.floats(inputs.out);
  const dy = backend.floats(inputs.dy);
  addon.biasActivateGrad(rows, dim, out, dy, activation, dx.values, dBias.values);
  return [dx.info, dBias.info];
});

registerNativeGradient("BiasActivate", { inputsToSave: [], outputsToSave: [true] }, (dy, [out], attrs) => {
  const [x, bias] = runNativeKernel("BiasActivateGrad", { dy, out: out as Tensor }, attrs) as [Tensor, Tensor];
  return { x, bias };
});
