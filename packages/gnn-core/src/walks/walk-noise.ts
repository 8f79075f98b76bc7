import type { CscGraph } from "../graph/csc-graph.ts";

/**
 * Running sums of what each node weighs where nodes are drawn beside pairs of walks: c^power, c the number of stored
 * edges that begin in the node, which is how often walks may step there. Of a graph without edges all nodes weigh the
 * same. Mikolov et al. 2013 (arXiv:1310.4546), section 2.2: power 3/4 of how often a word is met.
 *
 * @returns float64 [numNodes]
 */
export function noiseSums({ numNodes, parts }: Pick<CscGraph, "numNodes" | "parts">, power = 0.75): Float64Array {
  const sums = new Float64Array(numNodes);
  for (const { indices } of parts) for (const src of indices) sums[src] = (sums[src] as number) + 1;
  const isEdgeless = sums.every((count) => count === 0);
  let total = 0;
  for (const [node, count] of sums.entries()) {
    total += isEdgeless ? 1 : count === 0 ? 0 : count ** power;
    sums[node] = total;
  }
  return sums;
}
