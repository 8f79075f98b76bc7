import { add, type Rank, reshape, type Tensor2D, tensor2d } from "../backends/tf.ts";
import { hasLabel, type LabelSets, labelTargets } from "../graph/label-sets.ts";
import { sigmoidCrossEntropySum } from "../ops/sigmoid-cross-entropy.ts";
import { ratio } from "./batch-sums.ts";
import { MultiLabelTally } from "./multi-label-tally.ts";
import type { NodeTask } from "./node-task.ts";

/**
 * Several labels per node: sigmoid cross-entropy of each label on its own, averaged over nodes and labels,
 *   1/(n·C) Σ_v Σ_c −[p_c · t_vc · log σ(z_vc) + (1 − t_vc) · log(1 − σ(z_vc))]
 * of the logits z = output + start. Predictions are of the logits.
 *
 * @param positiveWeights float32 [numClasses], the p_c: weight of a label's members
 * @param threshold       a label is predicted from this probability on
 * @param start           float32 [numClasses], where the logits start (`baseLogOdds`). Left out: the outputs are the logits
 */
export function multiLabelTask(
  sets: LabelSets,
  positiveWeights: Float32Array,
  threshold: number,
  start: Float32Array | null = null,
): NodeTask {
  const { numClasses } = sets;
  const isWeighted = positiveWeights.some((weight) => weight !== 1);
  const cuts = Float64Array.from({ length: numClasses }, (_, c) => logit(threshold) - (start?.[c] ?? 0));
  return {
    type: "nodeMultiLabel",
    outDim: numClasses,
    scaling: start && { mean: [...start], scale: Array.from(start, () => 1) },
    isLabelled: (node) => sets.known[node] === 1,
    lossSum: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      const logits = start ? add<Tensor2D>(outputs, tensor2d(start, [1, numClasses])) : outputs;
      if (!isWeighted) return sigmoidCrossEntropySum(logits, targets, null);
      // Every entry has a weight of its own: as many rows of one column.
      const column = reshape<Rank.R2>(logits, [targets.length, 1]);
      return sigmoidCrossEntropySum(column, targets, entryWeights(targets, positiveWeights));
    },
    count: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      return { weightSum: targets.length, ...countHits(outputs, targets, cuts) };
    },
    trainMetrics: ({ lossSum, weightSum, hits, trials }) => ({
      loss: ratio(lossSum, weightSum),
      microF1: ratio(hits, trials),
    }),
    tally: () => new MultiLabelTally(sets, positiveWeights, cuts, start),
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

/** Micro F1 as a fraction: 2·TP over predicted + actual. @param cuts output from which on each label is predicted */
function countHits(outputs: Float32Array, targets: Float32Array, cuts: Float64Array): { hits: number; trials: number } {
  let hits = 0;
  let trials = 0;
  for (let i = 0; i < targets.length; i++) {
    const isPredicted = (outputs[i] as number) >= (cuts[i % cuts.length] as number);
    const isActual = targets[i] === 1;
    trials += Number(isPredicted) + Number(isActual);
    if (isPredicted && isActual) hits += 2;
  }
  return { hits, trials };
}

function entryWeights(targets: Float32Array, positiveWeights: Float32Array): Float32Array {
  return targets.map((target, i) => (target === 1 ? (positiveWeights[i % positiveWeights.length] as number) : 1));
}
