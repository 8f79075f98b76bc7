import { points } from "../dist/points.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { learningRateFactor } from "../optim/learning-rate.ts";
import { NodeLoader } from "../sampling/node-loader.ts";
import { releaseBatch } from "../sampling/release-batch.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { epochSeeds } from "../sampling/seed-split.ts";
import type { TrainOptions } from "../spec/train-options.ts";
import { addBatchSums, type BatchSums, noBatchSums } from "../tasks/batch-sums.ts";
import { stepBatchSize } from "./batch-size.ts";
import type { ForwardPass } from "./forward-pass.ts";
import type { RankReporter } from "./rank-reporter.ts";
import { type TrainBatch, type TrainStepParts, trainStep } from "./train-step.ts";

/** Most bytes of the mini-batches that lie ready or are in the making, on one rank */
const maxBytesAhead = 2 ** 31;

export interface TrainEpochParts extends TrainStepParts {
  readonly pass: ForwardPass;
  readonly data: TrainingData;
  /** GlobalIds of the training nodes, the same on every rank */
  readonly trainNodes: Int32Array;
  readonly sampler: Sampler;
  readonly samplerThreads: number;
  readonly rank: RankContext;
  readonly reporter: RankReporter;
  readonly train: TrainOptions;
}

/**
 * Visits every training node once, in an order that depends on seed and epoch alone.
 *
 * @param firstStep number of steps taken before this epoch
 * @returns sums over all global batches, the number of steps and their learning rate
 */
export async function trainEpoch(
  parts: TrainEpochParts,
  epoch: number,
  firstStep: number,
): Promise<{ sums: BatchSums; numSteps: number; lr: number }> {
  const { rank, train, clock, pass, reporter } = parts;
  await pass.beginEpoch?.({ signal: parts.signal, onProgress: () => reporter.tick(firstStep) });
  const seeds =
    parts.sampler.epochSeeds?.(parts.trainNodes, epoch, rankOf(rank)) ??
    epochSeeds(parts.trainNodes, { ...train, batchSize: stepBatchSize(parts), ...rankOf(rank), epoch });
  // The loader is not given the signal: a rank that was told to stop says so in the next reduction, with all others.
  const loader = new NodeLoader({
    sampler: parts.sampler,
    features: pass.features,
    labels: null,
    batches: seeds.map((ids, step) => ({ seeds: ids, epoch, step })),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  const lr = train.optimizer.options.lr * learningRateFactor(train.schedule, epoch, train.epochs);
  const stepParts = { ...parts, lr };
  let sums = noBatchSums;
  let numSteps = 0;
  clock.start();
  for await (const batch of loader) {
    clock.lap("wait");
    clock.add("sample", batch.sampleMs);
    clock.add("gather", batch.gatherMs);
    points.sampled.publish({ epoch, step: batch.step, numSteps: seeds.length });
    const context = { training: true, seed: train.seed, epoch, step: batch.step };
    sums = addBatchSums(sums, await trainStep(stepParts, batch as TrainBatch, context));
    numSteps += 1;
    reporter.endStep(firstStep + numSteps, batch.seeds.length, batch.inputNodes);
    releaseBatch(batch);
    clock.start();
  }
  return { sums, numSteps, lr };
}

function rankOf({ rank, worldSize }: RankContext): { rank: number; worldSize: number } {
  return { rank, worldSize };
}
