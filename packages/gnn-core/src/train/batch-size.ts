import type { GnnModel } from "../nn/model.ts";
import { evenBatchSize } from "../sampling/seed-split.ts";
import type { TrainOptions } from "../spec/train-options.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";

interface EpochParts {
  readonly model: GnnModel;
  /** Seeds of an epoch: nodes, links, graphs or edges */
  readonly numTrain: number;
  readonly train: Pick<TrainOptions, "batchSize">;
}

/**
 * Global seeds of a step. Batch normalisation gets equal batches: a rest of a few rows would make its statistics
 * theirs, and those that inference uses too, a tenth of which are the last batch's.
 */
export function stepBatchSize({ model, numTrain, train: { batchSize } }: EpochParts): number {
  return hasBatchNorm(model) ? evenBatchSize(numTrain, batchSize) : batchSize;
}
