import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { type Rank, scatterND, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";

const mostRows = 2 ** 31 - 1;

/**
 * out[rows[i]] = Σ_i values[i], rows that none names are 0: what `gatherRows` has for a gradient, added up in the order
 * of i. It has no gradient of its own.
 *
 * @param values float32 [rows.length, dim]
 * @param rows   int32, each in [0, numRows)
 * @returns      float32 [numRows, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH for more than 2^31 − 1 rows
 */
export function scatterRows(values: Tensor2D, rows: Int32Array, numRows: number): Tensor2D {
  if (numRows > mostRows)
    throw new GnnError("SHAPE_MISMATCH", `scatterRows: ${numRows} rows; expected ${mostRows} at most.`);
  if (hasKernel("GatherRowsGrad")) return runKernel("GatherRowsGrad", { dy: values }, { rows, numRows })[0] as Tensor2D;
  const [count, dim] = values.shape;
  return tidy(() => scatterND<Rank.R2>(tensor2d(rows, [count, 1], "int32"), values, [numRows, dim]));
}
