import { type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import { headLinear } from "./head-linear.ts";

/**
 * What each head makes of a row: out_ih = ⟨attention_h, x_ih⟩, with columns [h·dim, (h + 1)·dim) of x for head h.
 *
 * @param x          float32 [n, heads·dim]
 * @param attention  float32 [heads, dim]
 * @returns          float32 [n, heads], owned by the caller
 */
export function headScores(x: Tensor2D, attention: Tensor2D): Tensor2D {
  const [heads, dim] = attention.shape;
  return tidy(() => headLinear(x, reshape<Rank.R2>(attention, [heads * dim, 1]), heads));
}
