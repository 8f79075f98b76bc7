import { loadAddon } from "../backends/native/addon.ts";
import type { CscFromCooResult } from "../backends/native/graph-addon.ts";
import { native } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";

export interface CscFromCooOptions {
  /** `drop` keeps the first row of each (src, dst). Default `keep`. */
  readonly duplicates?: "keep" | "drop";
  /** Default `keep`. */
  readonly selfLoops?: "keep" | "drop";
  /** Every row is also an edge from dst to src, a self-loop once; both have the row's edge id. Default false. */
  readonly bothDirections?: boolean;
}

/**
 * Sorts an edge list into in-edge CSC form off the JavaScript thread: column = dst, entries = src ascending,
 * equal entries in row order. `edgeIds[e]` is the input row of edge e, to permute edge columns with.
 *
 * Rows 7→9, 8→9, 7→9 with `drop`: column 9 is [7, 8], edgeIds [0, 1], numDuplicates 1.
 *
 * @param src int32 [numRows], values in [0, numNodes); not to be changed until the promise settles
 * @param dst int32 [numRows], likewise
 * @throws GnnError SHAPE_MISMATCH when the lengths differ, DATASET_NODE_UNKNOWN when an id is out of range
 */
export async function cscFromCoo(
  src: Int32Array,
  dst: Int32Array,
  numNodes: number,
  { duplicates = "keep", selfLoops = "keep", bothDirections = false }: CscFromCooOptions = {},
): Promise<CscFromCooResult> {
  if (src.length !== dst.length) {
    throw new GnnError("SHAPE_MISMATCH", `src has ${src.length} rows and dst ${dst.length}; they must be equal.`);
  }
  return native(() =>
    loadAddon().cscFromCoo(src, dst, numNodes, duplicates === "drop", selfLoops === "drop", bothDirections),
  );
}
