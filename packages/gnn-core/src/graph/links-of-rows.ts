import { cscFromCoo } from "./csc-from-coo.ts";

/**
 * The links of a list of edges: rows that join the same two nodes, whatever their order and however often, are one. A
 * link is split as a whole, so that no row of it, nor its reverse, lies on another side.
 *
 *   rows 0→1, 1→0, 2→1, 0→1: links {0, 1} of the rows 0, 1, 3 and {1, 2} of the row 2
 */
export interface LinksOfRows {
  readonly numLinks: number;
  /** The smaller and the larger id of each link, int32 [numLinks] */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** The link of every row, int32 [numRows] */
  readonly linkOf: Int32Array;
}

/** @throws GnnError DATASET_NODE_UNKNOWN when an id is outside the graph */
export async function linksOfRows(
  { src, dst }: { readonly src: Int32Array; readonly dst: Int32Array },
  numNodes: number,
): Promise<LinksOfRows> {
  const low = src.map((from, row) => Math.min(from, dst[row] as number));
  const high = src.map((from, row) => Math.max(from, dst[row] as number));
  const { indptr, indices, edgeIds } = await cscFromCoo(low, high, numNodes);
  const linkOf = new Int32Array(src.length);
  const firstRows: number[] = [];
  let begin = 0;
  for (let node = 0; node < numNodes; node++) {
    const end = Number(indptr[node + 1]);
    for (let at = begin; at < end; at++) {
      const row = edgeIds[at] as number;
      if (at === begin || indices[at] !== indices[at - 1]) firstRows.push(row);
      linkOf[row] = firstRows.length - 1;
    }
    begin = end;
  }
  return {
    numLinks: firstRows.length,
    low: Int32Array.from(firstRows, (row) => low[row] as number),
    high: Int32Array.from(firstRows, (row) => high[row] as number),
    linkOf,
  };
}
