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

/**
 * The triples of a list of edges: rows that lead from the same node to the same other one by the same relation are one.
 * Links are as many triples as relations join their nodes, in either direction.
 *
 * @param relations int32 [numRows], not negative
 * @throws GnnError DATASET_NODE_UNKNOWN when an id is outside the graph
 */
export async function triplesOfRows(
  pairs: { readonly src: Int32Array; readonly dst: Int32Array; readonly relations: Int32Array },
  numNodes: number,
): Promise<LinksOfRows> {
  const { src, dst, relations } = pairs;
  const links = await linksOfRows(pairs, numNodes);
  const numRelations = relations.reduce((most, relation) => Math.max(most, relation + 1), 1);
  const tripleOf = new Map<number, number>();
  const linkOfTriple: number[] = [];
  const linkOf = links.linkOf.map((link, row) => {
    const isTurned = Number((src[row] as number) > (dst[row] as number));
    const key = (link * numRelations + (relations[row] as number)) * 2 + isTurned;
    const known = tripleOf.get(key);
    if (known !== undefined) return known;
    tripleOf.set(key, linkOfTriple.length);
    return linkOfTriple.push(link) - 1;
  });
  return {
    numLinks: linkOfTriple.length,
    low: Int32Array.from(linkOfTriple, (link) => links.low[link] as number),
    high: Int32Array.from(linkOfTriple, (link) => links.high[link] as number),
    linkOf,
  };
}
