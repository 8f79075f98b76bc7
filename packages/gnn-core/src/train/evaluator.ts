import type { Collective } from "../dist/collective.ts";
import { type LayerwiseParts, layerwiseInference } from "../infer/layerwise-inference.ts";
import { splitCode } from "../partition/split-nodes.ts";
import {
  addSums,
  type ClassificationMetrics,
  type ClassificationSums,
  evaluateLogits,
  metricsOf,
  noSums,
} from "./metrics.ts";
import type { TrainingData } from "./training-data.ts";

export interface EvaluatorParts extends Omit<LayerwiseParts, "onChunk" | "graph" | "features"> {
  readonly data: TrainingData;
  /** float32 [numClasses] loss weight of each class */
  readonly classWeights: Float32Array;
}

export type EvaluatedSplit = Exclude<keyof typeof splitCode, "none">;

/**
 * Loss and accuracy of each split by exact layer-wise inference with the model's present weights.
 * Sums are reduced over the ranks, so every rank returns the same numbers.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluate(
  parts: EvaluatorParts,
  splits: readonly EvaluatedSplit[],
): Promise<Record<EvaluatedSplit, ClassificationMetrics>> {
  const { data, classWeights, model } = parts;
  const sums = { train: noSums, val: noSums, test: noSums };
  await layerwiseInference({
    ...parts,
    graph: data.graph,
    features: data.features,
    onChunk: ({ layer, firstNode, rows }) => {
      if (layer !== model.layers.length - 1) return;
      const end = firstNode + rows.length / data.numClasses;
      const labels = data.labels.subarray(firstNode, end);
      for (const split of splits) {
        const isIncluded = (row: number) => data.split[firstNode + row] === splitCode[split];
        sums[split] = addSums(sums[split], evaluateLogits(rows, labels, classWeights, isIncluded));
      }
    },
  });
  const reduced = await reduce(parts.rank.collective, sums);
  return { train: metricsOf(reduced.train), val: metricsOf(reduced.val), test: metricsOf(reduced.test) };
}

async function reduce(
  collective: Collective,
  sums: Record<EvaluatedSplit, ClassificationSums>,
): Promise<Record<EvaluatedSplit, ClassificationSums>> {
  const flat = Float32Array.from(
    [sums.train, sums.val, sums.test].flatMap((split) => [split.lossSum, split.weightSum, split.correct, split.count]),
  );
  await collective.allReduceSum(flat);
  const at = (split: number): ClassificationSums => {
    const [lossSum = 0, weightSum = 0, correct = 0, count = 0] = flat.subarray(split * 4, split * 4 + 4);
    return { lossSum, weightSum, correct, count };
  };
  return { train: at(0), val: at(1), test: at(2) };
}
