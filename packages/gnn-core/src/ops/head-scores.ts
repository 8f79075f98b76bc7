import { matMul, type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import { columnRange, joinAllColumns } from "./columns.ts";
import { rowRange } from "./row-range.ts";

/**
 * What each head makes of a row: out_ih = ⟨attention_h, x_ih⟩, with columns [h·dim, (h + 1)·dim) of x for head h.
 *
 * @param x          float32 [n, heads·dim]
 * @param attention  float32 [heads, dim]
 * @returns          float32 [n, heads], owned by the caller
 */
export function headScores(x: Tensor2D, attention: Tensor2D): Tensor2D {
  const [heads, dim] = attention.shape;
  return tidy(() =>
    joinAllColumns(
      Array.from({ length: heads }, (_, h) => {
        const columns = heads === 1 ? x : columnRange(x, h * dim, (h + 1) * dim);
        return matMul<Tensor2D>(columns, reshape<Rank.R2>(rowRange(attention, h, h + 1), [dim, 1]));
      }),
    ),
  );
}
