import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, div, mul, sqrt, sub, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";

/** Keeps the division finite where a column is constant; PyTorch's default. */
export const batchNormEpsilon = 1e-5;

export interface BatchNormAttrs {
  readonly epsilon: number;
}

/** Mean and (biased) variance of each column, float32 [dim]. */
export interface ColumnStatistics {
  readonly mean: Tensor1D;
  readonly variance: Tensor1D;
}

/**
 * Each column by the statistics given: out = (x − mean) / √(variance + 1e-5) ⊙ scale + shift. All five inputs have
 * gradients; that of the statistics is what has to go back into the rows they were counted from.
 * Ioffe and Szegedy 2015 (arXiv:1502.03167), algorithm 1.
 *
 * @param x      float32 [n, dim]
 * @param scale  float32 [dim]
 * @param shift  float32 [dim]
 * @returns      float32 [n, dim], owned by the caller
 */
export function batchNorm(
  x: Tensor2D,
  { mean, variance }: ColumnStatistics,
  scale: Tensor1D,
  shift: Tensor1D,
): Tensor2D {
  return tidy(() => {
    const attrs: BatchNormAttrs = { epsilon: batchNormEpsilon };
    if (!hasKernel("BatchNorm")) return composeBatchNorm(x, { mean, variance }, scale, shift);
    return runKernel("BatchNorm", { x, mean, variance, scale, shift }, attrs)[0] as Tensor2D;
  });
}

/** Composes the op from stock ones. */
export function composeBatchNorm(
  x: Tensor2D,
  { mean, variance }: ColumnStatistics,
  scale: Tensor1D,
  shift: Tensor1D,
): Tensor2D {
  const normal = div<Tensor2D>(sub(x, mean), sqrt(add(variance, batchNormEpsilon)));
  return add(mul(normal, scale), shift);
}
