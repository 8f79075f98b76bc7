import { int64At, int64Words } from "../../int64.ts";

/**
 * The connected components of a graph, whatever the direction of its edges, by union-find with path halving.
 *
 * @param onProgress told after every million nodes; it may throw to stop
 * @returns how many there are, and the nodes of the largest
 */
export function measureComponents(
  indptr: BigInt64Array,
  indices: Int32Array,
  onProgress: (numNodes: number) => void = () => {},
): { count: number; largest: number } {
  const numNodes = indptr.length - 1;
  const offsets = int64Words(indptr);
  const parents = Int32Array.from({ length: numNodes }, (_, node) => node);
  const sizes = new Int32Array(numNodes).fill(1);
  const rootOf = (start: number) => {
    let node = start;
    while (parents[node] !== node) {
      parents[node] = parents[parents[node]!]!;
      node = parents[node]!;
    }
    return node;
  };
  let count = numNodes;
  let largest = Math.min(1, numNodes);
  for (let dst = 0; dst < numNodes; dst++) {
    if (dst % 1_000_000 === 0) onProgress(dst);
    for (let edge = int64At(offsets, dst); edge < int64At(offsets, dst + 1); edge++) {
      const [a, b] = [rootOf(dst), rootOf(indices[edge]!)];
      if (a === b) continue;
      const [root, child] = sizes[a]! < sizes[b]! ? [b, a] : [a, b];
      parents[child] = root;
      sizes[root]! += sizes[child]!;
      largest = Math.max(largest, sizes[root]!);
      count--;
    }
  }
  return { count, largest };
}
