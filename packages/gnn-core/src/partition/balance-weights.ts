import { GnnError } from "../errors/gnn-error.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { BalanceKind } from "./partitioner-options.ts";

/**
 * Node weights for the partitioner: one column per thing to balance, one for each type where it is by types. A column
 * of zeros (no training nodes, no edges) is left out, since nothing can be balanced by it; without any column every
 * node weighs 1.
 *
 * @param nodes.indptr int64 [numNodes + 1] of the in-edge CSC
 * @param nodes.types int32 [numNodes], -1 = not known; null: all nodes are alike
 * @returns int32 [numNodes, numConstraints], row-major
 * @throws GnnError SPEC_INVALID for more node types than a partitioner can balance
 */
export function balanceWeights(
  balance: readonly BalanceKind[],
  nodes: { readonly indptr: BigInt64Array; readonly split: Int8Array; readonly types: Int32Array | null },
): { nodeWeights: Int32Array; numConstraints: number } {
  const { indptr, split, types } = nodes;
  const numNodes = indptr.length - 1;
  const offsets = int64Words(indptr);
  const inSplit = (code: number) => (node: number) => (split[node] === code ? 1 : 0);
  const inDegree = (node: number) => int64At(offsets, node + 1) - int64At(offsets, node);
  const ofEach = (kind: BalanceKind, weight: (node: number) => number) =>
    types && balance.includes(kind) ? ofEachType(types, weight) : [];
  const weightsOf: Record<BalanceKind, readonly ((node: number) => number)[]> = {
    nodes: [() => 1],
    inEdges: [inDegree],
    nodeTypes: ofEach("nodeTypes", () => 1),
    inEdgesByType: ofEach("inEdgesByType", inDegree),
    train: [inSplit(splitCode.train)],
    val: [inSplit(splitCode.val)],
    test: [inSplit(splitCode.test)],
  };
  const columns = [...new Set(balance)].flatMap((kind) => weightsOf[kind]).filter((weight) => hasAny(weight, numNodes));
  if (columns.length === 0) columns.push(() => 1);
  const numConstraints = columns.length;
  const nodeWeights = new Int32Array(numNodes * numConstraints);
  for (const [c, weight] of columns.entries()) {
    for (let node = 0; node < numNodes; node++) nodeWeights[node * numConstraints + c] = weight(node);
  }
  return { nodeWeights, numConstraints };
}

/** Each constraint is a column of every node, and each costs some cut. */
export const maxBalancedTypes = 32;

function ofEachType(types: Int32Array, weight: (node: number) => number): ((node: number) => number)[] {
  const numTypes = types.reduce((most, type) => Math.max(most, type + 1), 0);
  if (numTypes > maxBalancedTypes) {
    const found = `Balancing ${numTypes} node types takes as many constraints; at most ${maxBalancedTypes} are possible. Leave nodeTypes and inEdgesByType out of balance.`;
    throw new GnnError("SPEC_INVALID", found, { place: { pointer: "/partition/options/balance" } });
  }
  return Array.from({ length: numTypes }, (_, type) => (node: number) => (types[node] === type ? weight(node) : 0));
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
