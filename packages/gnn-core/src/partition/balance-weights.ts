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
  const inSplit = (code: number) => (node: number) => (split[node] === code ? 1 : 0);
  const weightOf: Record<BalanceKind, (node: number) => number> = {
    nodes: () => 1,
    inEdges: (node) => int64At(offsets, node + 1) - int64At(offsets, node),
    train: inSplit(splitCode.train),
    val: inSplit(splitCode.val),
    test: inSplit(splitCode.test),
  };
  const columns = [...new Set(balance)].map((kind) => weightOf[kind]).filter((weight) => hasAny(weight, numNodes));
  if (columns.length === 0) columns.push(weightOf.nodes);
  const numConstraints = columns.length;
  const nodeWeights = new Int32Array(numNodes * numConstraints);
  for (const [c, weight] of columns.entries()) {
    for (let node = 0; node < numNodes; node++) nodeWeights[node * numConstraints + c] = weight(node);
  }
  return { nodeWeights, numConstraints };
}

function hasAny(weight: (node: number) => number, numNodes: number): boolean {
  for (let node = 0; node < numNodes; node++) if (weight(node) > 0) return true;
  return false;
}

/** Sum of every column of the weights, float64 [numConstraints]. */
export function weightTotals(nodeWeights: Int32Array, numConstraints: number): Float64Array {
  const totals = new Float64Array(numConstraints);
  for (let i = 0; i < nodeWeights.length; i += numConstraints) {
    for (let c = 0; c < numConstraints; c++) totals[c]! += nodeWeights[i + c]!;
  }
  return totals;
}
