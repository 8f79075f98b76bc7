import { crossEntropySum } from "../ops/cross-entropy.ts";
import { ratio } from "./batch-sums.ts";
import { logSoftmax } from "./log-softmax.ts";
import { countCorrect } from "./metrics.ts";
import type { NodeTask } from "./node-task.ts";
import { SplitTally } from "./split-tally.ts";

/**
 * One class per node: softmax cross-entropy, Σ w[y_v] · −log softmax(z_v)[y_v] / Σ w[y_v].
 *
 * @param labels       int32 [numNodes], -1 = unlabelled
 * @param classWeights float32 [numClasses], loss weight of each class
 */
export function classificationTask(labels: Int32Array, classWeights: Float32Array): NodeTask {
  const numClasses = classWeights.length;
  const labelsOf = (nodes: Int32Array) => nodes.map((node) => labels[node] as number);
  const weightsOf = (of: Int32Array) => Float32Array.from(of, (label) => classWeights[label] ?? 0);
  return {
    type: "nodeClassification",
    outDim: numClasses,
    scaling: null,
    isLabelled: (node) => (labels[node] as number) >= 0,
    lossSum: (outputs, seeds) => {
      const of = labelsOf(seeds);
      return crossEntropySum(outputs, of, weightsOf(of));
    },
    count: (outputs, seeds) => {
      const of = labelsOf(seeds);
      const weightSum = weightsOf(of).reduce((sum, weight) => sum + weight, 0);
      return { weightSum, hits: countCorrect(outputs, of, numClasses), trials: seeds.length };
    },
    trainMetrics: ({ lossSum, weightSum, hits, trials }) => ({
      loss: ratio(lossSum, weightSum),
      accuracy: ratio(hits, trials),
    }),
    tally: () => new SplitTally(classWeights, labels),
    ranking: {
      numClasses,
      classes: numClasses === 2 ? [1] : Array.from({ length: numClasses }, (_, c) => c),
      isMember: (node, c) => labels[node] === c,
      score: logSoftmax,
    },
  };
}
