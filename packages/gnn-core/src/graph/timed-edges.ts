import { always } from "./edge-times.ts";

/** In-edge columns in the order of time: those from before a time are the first ones of a column. */
export interface TimedEdges {
  /** int32 [numNodes + 1] */
  readonly indptr: Int32Array;
  /** Sources, int32 [numEdges]; of one time ascending */
  readonly indices: Int32Array;
  /** float64 [numEdges], ascending in each column */
  readonly times: Float64Array;
}

/**
 * Sorts edges into columns by time. A pair of nodes is one edge, as old as its first row: that it is repeated later is
 * not known before.
 *
 * @param directed `false` adds the opposite of every edge (of a self-loop not)
 */
export function timedEdges({
  src,
  dst,
  times,
  numNodes,
  directed,
}: {
  readonly src: Int32Array;
  readonly dst: Int32Array;
  readonly times: ArrayLike<number>;
  readonly numNodes: number;
  readonly directed: boolean;
}): TimedEdges {
  const numRows = src.length;
  const turned = directed ? new Int32Array() : Int32Array.from(src.keys()).filter((row) => src[row] !== dst[row]);
  const rowOf = (edge: number) => (edge < numRows ? edge : (turned[edge - numRows] as number));
  const from = (edge: number) => (edge < numRows ? src : dst)[rowOf(edge)] as number;
  const into = (edge: number) => (edge < numRows ? dst : src)[rowOf(edge)] as number;
  const time = (edge: number) => times[rowOf(edge)] as number;
  const sorted = Int32Array.from({ length: numRows + turned.length }, (_, edge) => edge).toSorted(
    (a, b) => into(a) - into(b) || time(a) - time(b) || from(a) - from(b),
  );
  const kept = firstOfPairs(sorted, from, into);
  const indptr = new Int32Array(numNodes + 1);
  for (const edge of kept) indptr[into(edge) + 1]! += 1;
  for (let node = 0; node < numNodes; node++) indptr[node + 1]! += indptr[node]!;
  return { indptr, indices: kept.map(from), times: Float64Array.from(kept, time) };
}

/** Picks, of edges that lie column by column, those whose source is the first of its kind in the column. */
function firstOfPairs(sorted: Int32Array, from: (edge: number) => number, into: (edge: number) => number): Int32Array {
  let column = -1;
  let sources = new Set<number>();
  return sorted.filter((edge) => {
    if (into(edge) !== column) {
      column = into(edge);
      sources = new Set();
    }
    if (sources.has(from(edge))) return false;
    sources.add(from(edge));
    return true;
  });
}

/**
 * How many edges of a node's column are there at a time: those from strictly before it, which are its first ones. What
 * has always been there is there at any time, and alone at the time of what has always been there.
 */
export function numBefore({ indptr, times }: TimedEdges, node: number, time: number): number {
  const begin = indptr[node] as number;
  let [low, high] = [begin, indptr[node + 1] as number];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = times[middle] as number;
    if (at < time || at === always) low = middle + 1;
    else high = middle;
  }
  return low - begin;
}
