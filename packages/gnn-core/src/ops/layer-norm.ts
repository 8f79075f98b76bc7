import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, mean, mul, rsqrt, square, sub, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";

/** Keeps the division finite where all columns of a row are equal; PyTorch's default. */
export const layerNormEpsilon = 1e-5;

export interface LayerNormAttrs {
  readonly epsilon: number;
}

/**
 * Each row to mean 0 and variance 1, then scaled and shifted column by column:
 *   out_v = (x_v − mean(x_v)) / √(variance(x_v) + 1e-5) ⊙ scale + shift
 * Ba et al. 2016 (arXiv:1607.06450), equation 4.
 *
 * @param x      float32 [n, dim]
 * @param scale  float32 [dim]
 * @param shift  float32 [dim]
 * @returns      float32 [n, dim], owned by the caller
 */
export function layerNorm(x: Tensor2D, scale: Tensor1D, shift: Tensor1D): Tensor2D {
  return tidy(() => {
    const attrs: LayerNormAttrs = { epsilon: layerNormEpsilon };
    if (!hasKernel("LayerNorm")) return composeLayerNorm(x, scale, shift);
    return runKernel("LayerNorm", { x, scale, shift }, attrs)[0] as Tensor2D;
  });
}

/** Composes the op from stock ones. */
export function composeLayerNorm(x: Tensor2D, scale: Tensor1D, shift: Tensor1D): Tensor2D {
  const centred = sub<Tensor2D>(x, mean(x, 1, true));
  const variance = mean(square(centred), 1, true);
  return add(mul(mul(centred, rsqrt(add(variance, layerNormEpsilon))), scale), shift);
}
