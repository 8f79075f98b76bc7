import { points } from "../dist/points.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ForwardContext } from "../nn/model.ts";
import { learningRateFactor } from "../optim/learning-rate.ts";
import type { MiniBatch } from "../sampling/mini-batch.ts";
import { NodeLoader } from "../sampling/node-loader.ts";
import { releaseBatch } from "../sampling/release-batch.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { epochSeeds } from "../sampling/seed-split.ts";
import type { TrainOptions } from "../spec/train-options.ts";
import { addBatchSums, type BatchSums, noBatchSums } from "../tasks/batch-sums.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import { stepBatchSize } from "./batch-size.ts";
import type { ForwardPass } from "./forward-pass.ts";
import type { RankReporter } from "./rank-reporter.ts";
import { type TrainBatch, type TrainStepParts, trainStep } from "./train-step.ts";
import type { TrainingEnd } from "./training-end.ts";

/** Most bytes of the mini-batches that lie ready or are in the making, on one rank */
export const maxBytesAhead = 2 ** 31;

/** Most steps that the host enqueues on a device before it looks what came of them */
const stepsAhead = 100;

/** What an epoch needs, whatever is learnt */
export interface StepsParts extends Omit<TrainStepParts, "task"> {
  readonly pass: ForwardPass;
  readonly data: TrainingData;
  readonly sampler: Sampler;
  readonly samplerThreads: number;
  readonly rank: RankContext;
  readonly reporter: RankReporter;
  readonly end: TrainingEnd;
  readonly train: TrainOptions;
}

export interface TrainEpochParts extends StepsParts {
  readonly task: TaskLoss;
  /** GlobalIds of the training nodes, the same on every rank */
  readonly trainNodes: Int32Array;
}

/**
 * Visits every training node once, in an order that depends on seed and epoch alone.
 *
 * @param firstStep number of steps taken before this epoch
 */
export async function trainEpoch(parts: TrainEpochParts, epoch: number, firstStep: number): Promise<EpochResult> {
  const { rank, train, pass, reporter, trainNodes } = parts;
  await pass.beginEpoch?.({ signal: parts.signal, onProgress: () => reporter.tick(firstStep) });
  const seeds =
    parts.sampler.epochSeeds?.(trainNodes, epoch, rankOf(rank)) ??
    epochSeeds(trainNodes, {
      ...train,
      batchSize: stepBatchSize({ ...parts, numTrain: trainNodes.length }),
      ...rankOf(rank),
      epoch,
    });
  // The loader is not given the signal: a rank that was told to stop says so in the next reduction, with all others.
  const loader = new NodeLoader({
    sampler: parts.sampler,
    features: pass.features,
    labels: null,
    batches: seeds.map((ids, step) => ({ seeds: ids, epoch, step })),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  const take = onTask(parts, () => parts.task);
  return takeSteps(parts, loader, { epoch, firstStep, numSteps: seeds.length, take });
}

export interface EpochSteps<Batch extends MiniBatch> {
  readonly epoch: number;
  /** Number of steps taken before this epoch */
  readonly firstStep: number;
  readonly numSteps: number;
  readonly take: TakeStep<Batch>;
}

/** One training step. @returns sums over the global batch */
export type TakeStep<Batch extends MiniBatch> = (
  batch: Batch,
  context: ForwardContext,
  lr: number,
) => Promise<BatchSums>;

/** Steps by a loss of each rank's own seeds. */
export function onTask<Batch extends MiniBatch>(
  parts: StepsParts,
  taskOf: (batch: Batch) => TaskLoss,
): TakeStep<Batch> {
  return (batch, context, lr) => trainStep({ ...parts, task: taskOf(batch), lr }, batch as Batch & TrainBatch, context);
}

/** What came of an epoch: sums over all global batches, the number of steps and their learning rate */
export interface EpochResult {
  readonly sums: BatchSums;
  readonly numSteps: number;
  readonly lr: number;
}

/** A training step for every batch of the loader, or until the training is to end. */
export async function takeSteps<Batch extends MiniBatch>(
  parts: StepsParts,
  loader: AsyncIterable<Batch>,
  { epoch, firstStep, numSteps: planned, take }: EpochSteps<Batch>,
): Promise<EpochResult> {
  const { train, clock, reporter } = parts;
  const lr = train.optimizer.options.lr * learningRateFactor(train.schedule, epoch, train.epochs);
  let sums = noBatchSums;
  let numSteps = 0;
  clock.start();
  for await (const batch of loader) {
    clock.lap("wait");
    clock.add("sample", batch.sampleMs);
    clock.add("gather", batch.gatherMs);
    points.sampled.publish({ epoch, step: batch.step, numSteps: planned });
    const context = { training: true, seed: train.seed, epoch, step: batch.step };
    sums = addBatchSums(sums, await take(batch, context, lr));
    numSteps += 1;
    reporter.endStep(firstStep + numSteps, batch.seeds.length, batch.inputNodes);
    releaseBatch(batch);
    if (await parts.end.isHere()) break;
    if (numSteps % stepsAhead === 0) sums = addBatchSums(sums, await parts.bucket.pendingSums());
    clock.start();
  }
  return { sums: addBatchSums(sums, await parts.bucket.pendingSums()), numSteps, lr };
}

export function rankOf({ rank, worldSize }: RankContext): { rank: number; worldSize: number } {
  return { rank, worldSize };
}
