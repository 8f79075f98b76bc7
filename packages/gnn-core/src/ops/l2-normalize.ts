import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { div, maximum, mul, sqrt, sum, type Tensor2D, tidy } from "../backends/tf.ts";

/**
 * Each row to Euclidean length 1: out_v = x_v / max(‖x_v‖₂, 1e-12); a row of zeros stays one.
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, line 7.
 *
 * @param x  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 */
export function l2Normalize(x: Tensor2D): Tensor2D {
  return tidy(() => {
    if (!hasKernel("L2Normalize")) return composeL2Normalize(x);
    return runKernel("L2Normalize", { x }, {})[0] as Tensor2D;
  });
}

/** Composes the op from stock ones; the maximum is taken of the squares, as the root has no slope at 0. */
export function composeL2Normalize(x: Tensor2D): Tensor2D {
  return div(x, sqrt(maximum(sum(mul(x, x), 1, true), 1e-24)));
}
