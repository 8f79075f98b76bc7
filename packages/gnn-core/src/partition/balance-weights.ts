import { int64At, int64Words } from "../io/int64.ts";
import type { BalanceKind } from "./partitioner-options.ts";
import { splitCode } from "./split-nodes.ts";

/**
 * Node weights for the partitioner: one column per thing to balance. A column of zeros (no training nodes, no
 * edges) is left out, since nothing can be balanced by it; without any column every node weighs 1.
 *
 * @param indptr int64 [numNodes + 1] of the in-edge CSC
 * @returns int32 [numNodes, numConstraints], row-major
 */
export function balanceWeights(
  balance: readonly BalanceKind[],
  indptr: BigInt64Array,
  split: Int8Array,
): { nodeWeights: Int32Array; numConstraints: number } {
  const numNodes = indptr.length - 1;
  const offsets = int64Words(indptr);
  const weightOf: Record<BalanceKind, (node: number) => number> = {
    nodes: () => 1,
    inEdges: (node) => int64At(offsets, node + 1) - int64At(offsets, node),
    train: (node) => (split[node] === splitCode.train ? 1 : 0),
  };
  const columns = [...new Set(balance)]
    .map((kind) => Int32Array.from({ length: numNodes }, (_, node) => weightOf[kind](node)))
    .filter((column) => column.some((weight) => weight > 0));
  if (columns.length === 0) columns.push(new Int32Array(numNodes).fill(1));
  const nodeWeights = new Int32Array(numNodes * columns.length);
  columns.forEach((column, c) => {
    for (let node = 0; node < numNodes; node++) nodeWeights[node * columns.length + c] = column[node]!;
  });
  return { nodeWeights, numConstraints: columns.length };
}
