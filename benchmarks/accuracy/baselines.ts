import { type LabelSets, splitCode, type TrainingData } from "../../packages/gnn-core/src/index.ts";

/**
 * The best that can be said of a node without looking at it: the k labels most frequent among the training nodes, the
 * same for all, with the k that has the highest micro F1 on validation nodes. An MLP on a graph without features learns
 * no more.
 *
 * @returns micro F1 of the test nodes
 */
export function frequencyBaseline({ labelSets, split }: TrainingData): number {
  if (!labelSets) throw new Error("The frequency baseline is for data sets with several labels per node.");
  const { members } = countMembers(labelSets, split, splitCode.train);
  const byFrequency = Array.from(members.keys()).toSorted((a, b) => (members[b] as number) - (members[a] as number));
  const validation = countMembers(labelSets, split, splitCode.val);
  const test = countMembers(labelSets, split, splitCode.test);
  const choices = byFrequency.map((_, i) => i + 1);
  const f1 = (counts: MemberCounts, k: number) => microF1(counts, byFrequency.slice(0, k));
  const best = choices.reduce((a, b) => (f1(validation, b) > f1(validation, a) ? b : a));
  return f1(test, best);
}

interface MemberCounts {
  readonly numNodes: number;
  /** Number of those nodes that have each label */
  readonly members: Int32Array;
}

function countMembers({ numClasses, indptr, indices, known }: LabelSets, split: Int8Array, code: number): MemberCounts {
  const members = new Int32Array(numClasses);
  let numNodes = 0;
  for (const [node, part] of split.entries()) {
    if (part !== code || known[node] !== 1) continue;
    numNodes++;
    for (const label of indices.subarray(indptr[node], indptr[node + 1])) members[label]! += 1;
  }
  return { numNodes, members };
}

/** 2·TP / (predicted + actual) when every node is given these labels. */
function microF1({ numNodes, members }: MemberCounts, labels: readonly number[]): number {
  const actual = members.reduce((sum, count) => sum + count, 0);
  const hits = labels.reduce((sum, label) => sum + (members[label] as number), 0);
  return (2 * hits) / (labels.length * numNodes + actual);
}
