import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import {
  add,
  concat,
  mean,
  mul,
  pad,
  slice,
  square,
  sub,
  sum,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tidy,
} from "../backends/tf.ts";
import type { ColumnStatistics } from "./batch-norm.ts";

/** Statistics of the first `numRows` rows from stock ops, with gradients. */
export function composeColumnMoments(x: Tensor2D, numRows: number): ColumnStatistics {
  const rows = slice(x, [0, 0], [numRows, x.shape[1]]);
  const average = mean<Tensor1D>(rows, 0);
  return { mean: average, variance: mean<Tensor1D>(square(sub(rows, average)), 0) };
}

export interface SumsAttrs {
  readonly numRows: number;
  readonly center: Float32Array;
}

/**
 * What several ranks can add up to have the statistics of all their rows: Σ (x − center), then Σ (x − center)², over
 * the first `numRows` rows. Near the mean, `center` keeps the difference of the two exact.
 *
 * @param x       float32 [≥ numRows, dim]
 * @param center  float32 [dim]
 * @returns       float32 [2 · dim]
 */
export function columnSums(x: Tensor2D, numRows: number, center: Float32Array): Float32Array {
  const result = tidy(() => {
    const attrs: SumsAttrs = { numRows, center };
    if (hasKernel("ColumnSums")) return runKernel("ColumnSums", { x }, attrs)[0] as Tensor1D;
    const from = sub<Tensor2D>(slice(x, [0, 0], [numRows, x.shape[1]]), tensor1d(center));
    return concat([sum<Tensor1D>(from, 0), sum<Tensor1D>(square(from), 0)]);
  });
  const values = result.dataSync<"float32">();
  result.dispose();
  return values;
}

/** Gradient of the loss by statistics: how much each of the rows they were counted from moves them. */
export interface MomentGradient {
  /** float32 [dim], the mean of the statistics */
  readonly mean: Float32Array;
  /** float32 [dim], added to each row's gradient */
  readonly linear: Float32Array;
  /** float32 [dim], times (x − mean) of the row */
  readonly quadratic: Float32Array;
}

export interface MomentAttrs extends MomentGradient {
  readonly numRows: number;
}

/**
 * dx + linear + quadratic ⊙ (x − mean) on the first `numRows` rows, dx on the others: the gradient by rows that also
 * moved the statistics.
 *
 * @param dx  float32 [n, dim]
 * @param x   float32 [n, dim]
 * @returns   float32 [n, dim], owned by the caller
 */
export function addMomentGradient(dx: Tensor2D, x: Tensor2D, numRows: number, gradient: MomentGradient): Tensor2D {
  return tidy(() => {
    const attrs: MomentAttrs = { ...gradient, numRows };
    if (hasKernel("AddMomentGradient")) return runKernel("AddMomentGradient", { dx, x }, attrs)[0] as Tensor2D;
    const [rows, dim] = x.shape;
    const from = sub<Tensor2D>(slice(x, [0, 0], [numRows, dim]), tensor1d(gradient.mean));
    const moved = add<Tensor2D>(mul(from, tensor1d(gradient.quadratic)), tensor1d(gradient.linear));
    return add<Tensor2D>(
      dx,
      pad(moved, [
        [0, rows - numRows],
        [0, 0],
      ]),
    );
  });
}
