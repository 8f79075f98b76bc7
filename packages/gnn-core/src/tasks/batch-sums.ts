/** What is summed over the seeds of a step; adding the sums of all ranks gives those of the global batch. */
export interface BatchSums {
  /** Σ weight · loss */
  readonly lossSum: number;
  /** Σ weight: what the loss is divided by */
  readonly weightSum: number;
  /** Numerator and denominator of the metric that a task counts while it trains */
  readonly hits: number;
  readonly trials: number;
}

export const noBatchSums: BatchSums = { lossSum: 0, weightSum: 0, hits: 0, trials: 0 };

export function addBatchSums(a: BatchSums, b: BatchSums): BatchSums {
  return {
    lossSum: a.lossSum + b.lossSum,
    weightSum: a.weightSum + b.weightSum,
    hits: a.hits + b.hits,
    trials: a.trials + b.trials,
  };
}

/** numerator / denominator; null when there is nothing to divide by. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator > 0 ? numerator / denominator : null;
}
