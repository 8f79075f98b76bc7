import { linearProbe, type ProbeAccuracy } from "../contrast/linear-probe.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { splitCode } from "../graph/split-nodes.ts";
import type { TrainingData } from "../graph/training-data.ts";

/** Whether a linear probe has something to tell: each node has one of several classes. */
export function hasProbedLabels({ labels, labelSets, numClasses = 0 }: TrainingData): boolean {
  return labels !== null && labels !== undefined && !labelSets && numClasses >= 2;
}

/**
 * What a linear probe tells of the classes by rows of all nodes, float32 [numNodes, dim]; found by one rank, and known
 * to all, which all call it. null: no labelled node is held out, or there are no such classes.
 */
export async function probeRows(
  data: TrainingData,
  rows: Float32Array,
  dim: number,
  rank: RankContext,
): Promise<ProbeAccuracy | null> {
  const { labels, numClasses = 0, split } = data;
  if (!hasProbedLabels(data) || !labels) return null;
  const found = new Float32Array(2);
  if (rank.rank === 0) {
    const labelledIn = (code: number) =>
      Int32Array.from(split.keys()).filter((node) => split[node] === code && (labels[node] as number) >= 0);
    const sides = {
      train: labelledIn(splitCode.train),
      val: labelledIn(splitCode.val),
      test: labelledIn(splitCode.test),
    };
    const { val, test } = linearProbe({ rows, dim }, { labels, numClasses, ...sides });
    found.set([val ?? -1, test ?? -1]);
  }
  await rank.collective.allReduceSum(found);
  const [val, test] = Array.from(found, (value) => (value < 0 ? null : value)) as [number | null, number | null];
  return val === null && test === null ? null : { val, test };
}
