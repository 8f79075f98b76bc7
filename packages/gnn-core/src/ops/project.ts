import { type Tensor2D, tensor1d, tidy } from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { linear } from "./linear.ts";

/** x·W without a bias, for dense rows, CSR rows or a tensor. @returns float32 [n, outDim], owned by the caller */
export function project(x: FeatureRows | Tensor2D, weight: Tensor2D): Tensor2D {
  return tidy(() => linear(x, { weight, bias: tensor1d(new Float32Array(weight.shape[1])) }, "none"));
}
