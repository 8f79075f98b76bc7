import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";

/** @throws GnnError SHAPE_MISMATCH when x has not one row per src node */
export function checkBlockRows(op: string, block: Block, numRows: number): void {
  if (numRows !== block.numSrc) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `${op}: x has ${numRows} rows; expected one per src node of the block, ${block.numSrc}.`,
    );
  }
}

/** The dst row of every edge, in the order of `block.indices`. */
export function dstOfEdges({ indptr, indices, numDst }: Block): Int32Array {
  const dst = new Int32Array(indices.length);
  for (let v = 0; v < numDst; v++) dst.fill(v, indptr[v], indptr[v + 1]);
  return dst;
}
