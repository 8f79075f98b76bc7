import type { CscGraph } from "./csc-graph.ts";

/**
 * What the edges src → dst add to the in-degree of dst: the sum of their weights, of a graph without weights how many
 * there are. 0 where there is none. For the few edges that a step looks up; two reads of int64 and a search for each,
 * of a graph with several relations one through the column.
 *
 * @param dst a node whose in-edges are here
 */
export function inEdgeWeight(graph: CscGraph, src: number, dst: number): number {
  const part = graph.parts.find(({ firstNode, numNodes }) => dst >= firstNode && dst < firstNode + numNodes);
  if (!part) return 0;
  const column = dst - part.firstNode;
  const end = Number(part.indptr[column + 1]);
  const begin = Number(part.indptr[column]);
  let sum = 0;
  for (let at = part.types ? begin : lowerBound(part.indices, src, begin, end); at < end; at++) {
    if (part.indices[at] === src) sum += part.weights ? (part.weights[at] as number) : 1;
    else if (!part.types) break;
  }
  return sum;
}

/** Index of the first entry of [low, high) that is not below the value. */
function lowerBound(sorted: Int32Array, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
