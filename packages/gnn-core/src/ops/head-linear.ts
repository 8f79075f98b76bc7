import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { matMul, type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import { joinAllColumns } from "./columns.ts";
import { headOf } from "./head-products.ts";
import { rowRange } from "./row-range.ts";

/** How many rows of memory, below each other, are one row; default 1 */
export interface RowGroups {
  /** Rows of x */
  readonly from?: number;
  /** Rows of the result */
  readonly to?: number;
}

export interface HeadLinearAttrs extends Required<RowGroups> {
  readonly heads: number;
}

/**
 * What each head's columns are by weights of its own, all heads at once: out_vh = x_vh·W_h. A row v may be several rows
 * of x or of the result, such as one for each relation: x_vh is then what the head has in all of them, in their order.
 *
 * @param x        float32 [n·from, heads·dim], head h in columns [h·dim, (h + 1)·dim)
 * @param weights  float32 [heads·from·dim, to·outDim]; W_h are its rows [h·from·dim, (h + 1)·from·dim)
 * @returns        float32 [n·to, heads·outDim], owned by the caller
 */
export function headLinear(
  x: Tensor2D,
  weights: Tensor2D,
  heads: number,
  { from = 1, to = 1 }: RowGroups = {},
): Tensor2D {
  if (hasKernel("HeadLinear")) {
    return runKernel("HeadLinear", { x, weights }, { heads, from, to } satisfies HeadLinearAttrs)[0] as Tensor2D;
  }
  return tidy(() => composeHeadLinear(x, weights, { heads, from, to }));
}

/** Composes the op from stock ones, head by head. */
export function composeHeadLinear(x: Tensor2D, weights: Tensor2D, { heads, from, to }: HeadLinearAttrs): Tensor2D {
  const rows = x.shape[0] / from;
  const terms = weights.shape[0] / heads;
  const byHead = Array.from({ length: heads }, (_, h) => {
    const own = reshape<Rank.R2>(headOf(x, heads, h), [rows, terms]);
    const product = matMul<Tensor2D>(own, rowRange(weights, h * terms, (h + 1) * terms));
    return reshape<Rank.R2>(product, [rows * to, weights.shape[1] / to]);
  });
  return joinAllColumns(byHead);
}
