import { gsddmm } from "../ops/message-passing.ts";
import { sigmoidCrossEntropySum } from "../ops/sigmoid-cross-entropy.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import type { WalkPairOptions, WalkPairs } from "./walk-pairs.ts";

/** What a task that learns from random walks says. */
export interface WalkObjective extends Omit<WalkPairOptions, "noise"> {
  /** Width of the rows */
  readonly dim: number;
  /** How likely a node is drawn: as all others, or by the number of its edges to the power of 3/4 */
  readonly noise: "uniform" | "degree";
}

/**
 * Skip-gram with negative sampling over one set of rows: Σ −log σ(⟨h_u, h_v⟩) over the pairs that were met on a walk,
 * and Σ −log σ(−⟨h_u, h_v⟩) over those that were drawn; no row is gathered for a pair. The weight of a step is the
 * number of pairs that were met. Mikolov et al. 2013 (arXiv:1310.4546), equation 4.
 */
export function skipGramLoss({ block, targets, numPositives }: WalkPairs): TaskLoss {
  const counted = { weightSum: numPositives, hits: 0, trials: 0 };
  return {
    lossSum: (rows) => sigmoidCrossEntropySum(gsddmm(block, "dot", { src: rows, dst: rows }), targets, null),
    count: () => counted,
    countOnDevice: () => counted,
  };
}
