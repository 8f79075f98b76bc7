import type { NodeRange } from "../graph/csc-graph.ts";

/** The contiguous share of rank r: [⌊N·r/k⌋, ⌊N·(r+1)/k⌋). The shares of all ranks follow each other without a gap. */
export function rankShare(numNodes: number, { rank, worldSize }: { rank: number; worldSize: number }): NodeRange {
  const first = Math.floor((numNodes * rank) / worldSize);
  return { first, count: Math.floor((numNodes * (rank + 1)) / worldSize) - first };
}

/** Where the rows of these nodes lie in float32 [numNodes, dim]. */
export function floatsOf({ first, count }: NodeRange, dim: number): NodeRange {
  return { first: first * dim, count: count * dim };
}
