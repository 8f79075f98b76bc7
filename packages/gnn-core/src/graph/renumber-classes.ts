import type { LabelSets } from "./label-sets.ts";

/**
 * Where each class of one list stands in another: a graph that was built later counts its classes anew.
 *
 * @returns int32 [from.length], -1 = not among them; null: both lists are the same
 */
export function classPositions(from: readonly string[], to: readonly string[]): Int32Array | null {
  if (from.length === to.length && from.every((name, i) => name === to[i])) return null;
  const positions = new Map(to.map((name, i) => [name, i]));
  return Int32Array.from(from, (name) => positions.get(name) ?? -1);
}

/** @param labels int32 class of each node, -1 = unlabelled @param positions of `classPositions` */
export function renumberLabels(labels: Int32Array, positions: Int32Array | null): Int32Array {
  return positions === null ? labels : labels.map((label) => (label < 0 ? -1 : (positions[label] as number)));
}

/** The sets without the labels that have no position. A node of which all labels are left out has an empty set. */
export function renumberLabelSets(sets: LabelSets, positions: Int32Array | null, numClasses: number): LabelSets {
  if (positions === null) return sets;
  const indptr = new Int32Array(sets.numNodes + 1);
  const indices: number[] = [];
  for (let node = 0; node < sets.numNodes; node++) {
    const labels = sets.indices.subarray(sets.indptr[node], sets.indptr[node + 1]);
    const kept = [...renumberLabels(labels, positions)].filter((label) => label >= 0);
    indices.push(...kept.toSorted((a, b) => a - b));
    indptr[node + 1] = indices.length;
  }
  return { ...sets, numClasses, indptr, indices: Int32Array.from(indices) };
}
