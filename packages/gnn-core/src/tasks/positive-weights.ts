import { type LabelSets, labelTargets } from "../graph/label-sets.ts";

const chunk = 4096;

/** How many of the nodes have each label. @param nodes their labels are known */
export function labelMembers(sets: LabelSets, nodes: Int32Array): Float64Array {
  const members = new Float64Array(sets.numClasses);
  for (let start = 0; start < nodes.length; start += chunk) {
    const targets = labelTargets(sets, nodes.subarray(start, start + chunk));
    for (let i = 0; i < targets.length; i++) {
      const c = i % sets.numClasses;
      members[c] = (members[c] as number) + (targets[i] as number);
    }
  }
  return members;
}

/**
 * Weight of each label's members in the loss. `balanced`: others / members among the training nodes, so that the
 * members of a label weigh as much as all nodes without it; a label without a member there keeps 1. `none`: 1.
 *
 * @param nodes the training nodes, their labels known
 * @returns float32 [numClasses]
 */
export function positiveWeights(kind: "none" | "balanced", sets: LabelSets, nodes: Int32Array): Float32Array {
  if (kind === "none") return new Float32Array(sets.numClasses).fill(1);
  return Float32Array.from(labelMembers(sets, nodes), (count) => (count === 0 ? 1 : (nodes.length - count) / count));
}
