import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { gather, type Tensor2D, tensor1d, tidy } from "../backends/tf.ts";

export interface RowAttrs {
  readonly rows: Int32Array;
}

/**
 * out[i] = x[rows[i]]. Its gradient adds the rows of dy back in the order of i: the same bits on any thread count.
 *
 * @param x     float32 [n, dim]
 * @param rows  int32, each in [0, n)
 * @returns     float32 [rows.length, dim], owned by the caller
 * @throws Error SHAPE_MISMATCH when a row is outside x
 */
export function gatherRows(x: Tensor2D, rows: Int32Array): Tensor2D {
  if (!hasKernel("GatherRows")) return tidy(() => gather<Tensor2D>(x, tensor1d(rows, "int32")));
  return runKernel("GatherRows", { x }, { rows } satisfies RowAttrs)[0] as Tensor2D;
}
