import { tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { GnnModel } from "../nn/model.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { NodeLoader } from "../sampling/node-loader.ts";
import { releaseBatch } from "../sampling/release-batch.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { globalBatches, rankSeeds } from "../sampling/seed-split.ts";
import type { NodeTask } from "../tasks/node-task.ts";
import {
  countedSplit,
  countRow,
  type EvaluatedSplit,
  reduced,
  type ScoreMemory,
  type SplitEvaluation,
} from "./evaluator.ts";
import { layersInOrder } from "./forward-pass.ts";
import type { TrainBatch } from "./train-step.ts";

export interface SampledEvaluatorParts {
  readonly model: GnnModel;
  readonly task: NodeTask;
  readonly data: TrainingData;
  /** Draws from the whole graph */
  readonly sampler: Sampler;
  readonly samplerThreads: number;
  /** Global seeds at a time */
  readonly batchSize: number;
  readonly rank: RankContext;
  readonly signal: AbortSignal;
  readonly scoresOf?: ScoreMemory | undefined;
  readonly onProgress?: () => void;
}

/** Training epochs count from 1: the draws of an evaluation are their own, and the same in every one of them. */
const evaluationEpoch = 0;

/**
 * Metrics of each split from sampled neighbourhoods, drawn as in training: an estimate that never touches most of a
 * large graph, where layer-wise inference computes every node. The same draws every time, so that epochs compare.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluateSampled<Split extends EvaluatedSplit>(
  parts: SampledEvaluatorParts,
  splits: readonly Split[],
): Promise<Record<Split, SplitEvaluation>> {
  const { model, task, data, rank, signal } = parts;
  const counted = splits.map((split) => countedSplit(parts, split));
  const pass = layersInOrder(model);
  let firstStep = 0;
  for (const each of counted) {
    const batches = globalBatches(task.seedsOf(each.split), parts.batchSize);
    const loader = new NodeLoader({
      sampler: parts.sampler,
      features: data.features,
      labels: null,
      batches: batches.map((batch, i) => ({
        seeds: rankSeeds(batch, rank.rank, rank.worldSize),
        epoch: evaluationEpoch,
        step: firstStep + i,
      })),
      threads: parts.samplerThreads,
    });
    for await (const batch of loader) {
      if (signal.aborted) break; // the others hear of it below
      if (batch.seeds.length > 0) {
        const outputs = tidy(() => pass.forward(batch as TrainBatch, noDropout));
        const rows = outputs.dataSync<"float32">();
        for (const [row, node] of batch.seeds.entries()) countRow(each, rows, row, node);
        outputs.dispose();
      }
      releaseBatch(batch);
      parts.onProgress?.();
    }
    await agreeToContinue(rank.collective, signal);
    firstStep += batches.length;
  }
  return reduced(
    { rank, onClass: parts.onProgress, addsUpScores: data.graph.remote !== undefined || (rank.numHosts ?? 1) > 1 },
    counted,
  );
}
