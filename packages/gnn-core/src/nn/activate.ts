import { elu, relu, type Tensor2D, tanh } from "../backends/tf.ts";
import { leakyRelu } from "../ops/leaky-relu.ts";
import type { FusedActivation } from "../ops/linear.ts";
import type { Activation } from "./activations.ts";

/** The activation as a stock op. @returns float32 [n, dim], owned by the caller (x itself for "none") */
export function activate(x: Tensor2D, activation: Activation): Tensor2D {
  if (activation === "relu") return relu(x);
  if (activation === "elu") return elu(x);
  if (activation === "leakyRelu") return leakyRelu(x);
  return activation === "tanh" ? tanh(x) : x;
}

/** What the fused kernel applies itself, and what is left for `activate`. */
export function splitActivation(activation: Activation): { fused: FusedActivation; rest: Activation } {
  return activation === "relu" ? { fused: "relu", rest: "none" } : { fused: "none", rest: activation };
}
