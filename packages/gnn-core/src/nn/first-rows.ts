import { GnnError } from "../errors/gnn-error.ts";
import { rowRange } from "../ops/row-range.ts";
import type { LayerInput } from "./model.ts";

/**
 * The first rows of x: those of a block's dst nodes.
 *
 * @throws GnnError SHAPE_MISMATCH when x has fewer
 */
export function firstRows(layer: string, x: LayerInput, numRows: number): LayerInput {
  const found = "kind" in x ? x.numRows : x.shape[0];
  if (found === numRows) return x;
  if (found < numRows) {
    throw new GnnError("SHAPE_MISMATCH", `${layer}: x has ${found} rows; expected at least the ${numRows} dst rows.`);
  }
  if (!("kind" in x)) return rowRange(x, 0, numRows);
  if (x.kind === "dense") return { ...x, numRows, values: x.values.subarray(0, numRows * x.dim) };
  const numValues = x.indptr[numRows] as number;
  return {
    ...x,
    numRows,
    indptr: x.indptr.subarray(0, numRows + 1),
    indices: x.indices.subarray(0, numValues),
    values: x.values.subarray(0, numValues),
  };
}
