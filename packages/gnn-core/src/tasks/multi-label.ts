import { type Rank, reshape } from "../backends/tf.ts";
import { sigmoidCrossEntropySum } from "../ops/sigmoid-cross-entropy.ts";
import { ratio } from "./batch-sums.ts";
import { hasLabel, type LabelSets, labelTargets } from "./label-sets.ts";
import { MultiLabelTally } from "./multi-label-tally.ts";
import type { NodeTask } from "./node-task.ts";

/**
 * Several labels per node: sigmoid cross-entropy of each label on its own, averaged over nodes and labels,
 *   1/(n·C) Σ_v Σ_c −[p_c · t_vc · log σ(z_vc) + (1 − t_vc) · log(1 − σ(z_vc))]
 *
 * @param positiveWeights float32 [numClasses], the p_c: weight of a label's members
 * @param threshold       a label is predicted from this probability on
 */
export function multiLabelTask(sets: LabelSets, positiveWeights: Float32Array, threshold: number): NodeTask {
  const { numClasses } = sets;
  const isWeighted = positiveWeights.some((weight) => weight !== 1);
  const cut = logit(threshold);
  return {
    type: "nodeMultiLabel",
    outDim: numClasses,
    scaling: null,
    isLabelled: (node) => sets.known[node] === 1,
    lossSum: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      if (!isWeighted) return sigmoidCrossEntropySum(outputs, targets, null);
      // Every entry has a weight of its own: as many rows of one column.
      const column = reshape<Rank.R2>(outputs, [targets.length, 1]);
      return sigmoidCrossEntropySum(column, targets, entryWeights(targets, positiveWeights));
    },
    count: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      return { weightSum: targets.length, ...countHits(outputs, targets, cut) };
    },
    trainMetrics: ({ lossSum, weightSum, hits, trials }) => ({
      loss: ratio(lossSum, weightSum),
      microF1: ratio(hits, trials),
    }),
    tally: () => new MultiLabelTally(sets, positiveWeights, cut),
    ranking: {
      numClasses,
      classes: Array.from({ length: numClasses }, (_, c) => c),
      isMember: (node, c) => hasLabel(sets, node, c),
      score: (outputs, scores) => scores.set(outputs), // σ keeps the order
    },
  };
}

/** The z at which σ(z) = probability. */
export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Micro F1 as a fraction: 2·TP over predicted + actual. */
function countHits(outputs: Float32Array, targets: Float32Array, cut: number): { hits: number; trials: number } {
  let [hits, trials] = [0, 0];
  for (let i = 0; i < targets.length; i++) {
    const [isPredicted, isActual] = [(outputs[i] as number) >= cut, targets[i] === 1];
    trials += Number(isPredicted) + Number(isActual);
    if (isPredicted && isActual) hits += 2;
  }
  return { hits, trials };
}

function entryWeights(targets: Float32Array, positiveWeights: Float32Array): Float32Array {
  return targets.map((target, i) => (target === 1 ? (positiveWeights[i % positiveWeights.length] as number) : 1));
}
