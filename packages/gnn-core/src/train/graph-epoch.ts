import { NodeLoader } from "../sampling/node-loader.ts";
import { epochSeeds } from "../sampling/seed-split.ts";
import type { NodeTask } from "../tasks/node-task.ts";
import type { GraphHead } from "../whole-graphs/graph-head.ts";
import { graphLoss } from "../whole-graphs/graph-loss.ts";
import { nodesOfGraphs } from "../whole-graphs/pool-block.ts";
import { stepBatchSize } from "./batch-size.ts";
import { type EpochResult, maxBytesAhead, rankOf, type StepsParts, takeSteps } from "./train-epoch.ts";
import { type TrainBatch, trainStep } from "./train-step.ts";

/** What is learnt of whole graphs, ready to be trained */
export interface LearntGraphs {
  /** Its seeds are graphs. */
  readonly task: NodeTask;
  readonly head: GraphHead;
  /** int32 [numGraphs + 1] */
  readonly offsets: Int32Array;
}

/**
 * Visits every training graph once, whole: `trainEpoch` of graphs. The order is a function of seed, epoch and the
 * graphs; `batchSize` counts graphs, and the ranks share those of a step as they share nodes.
 */
export async function trainGraphEpoch(
  parts: StepsParts,
  learnt: LearntGraphs,
  epoch: number,
  firstStep: number,
): Promise<EpochResult> {
  const { rank, train, pass } = parts;
  const graphs = learnt.task.seedsOf("train");
  const batchSize = stepBatchSize({ ...parts, numTrain: graphs.length });
  const steps = epochSeeds(graphs, { seed: train.seed, batchSize, ...rankOf(rank), epoch });
  const loader = new NodeLoader({
    sampler: parts.sampler,
    features: pass.features,
    labels: null,
    batches: steps.map((own, step) => ({ seeds: nodesOfGraphs(own, learnt.offsets), epoch, step })),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  return takeSteps(parts, loader, {
    epoch,
    firstStep,
    numSteps: steps.length,
    take: (batch, context, lr) =>
      trainStep({ ...parts, task: graphLoss(learnt, context), lr }, batch as TrainBatch, context),
  });
}
