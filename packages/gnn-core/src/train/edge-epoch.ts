import { type EdgesOfStep, edgeLoss, type LearntEdges } from "../edges/edge-loss.ts";
import { takePairs } from "../links/node-pairs.ts";
import { distinctEnds } from "../sampling/edge-loader.ts";
import { NodeLoader, type SeedBatch } from "../sampling/node-loader.ts";
import { epochSeeds } from "../sampling/seed-split.ts";
import { stepBatchSize } from "./batch-size.ts";
import type { StepPlan } from "./link-epoch.ts";
import { type EpochResult, maxBytesAhead, rankOf, type StepsParts, takeSteps } from "./train-epoch.ts";
import { type TrainBatch, trainStep } from "./train-step.ts";

/**
 * Visits every training edge once: `trainEpoch` of edges. The order is a function of seed, epoch and the rows of the
 * edges; `batchSize` counts edges, and the ranks share those of a step as they share nodes. Every edge of the graph
 * carries messages, for none of them carries a label.
 */
export async function trainEdgeEpoch(
  parts: StepsParts,
  learnt: LearntEdges,
  epoch: number,
  firstStep: number,
): Promise<EpochResult> {
  const { rank, train, pass } = parts;
  const ids = learnt.task.seedsOf("train");
  const batchSize = stepBatchSize({ ...parts, numTrain: ids.length });
  const steps = epochSeeds(ids, { seed: train.seed, batchSize, ...rankOf(rank), epoch });
  const ofSteps = new Map<number, EdgesOfStep>();
  const loader = new NodeLoader({
    sampler: parts.sampler,
    features: pass.features,
    labels: null,
    batches: endsOf(steps, learnt, epoch, ofSteps),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  return takeSteps(parts, loader, {
    epoch,
    firstStep,
    numSteps: steps.length,
    take: (batch, context, lr) => {
      const own = ofSteps.get(batch.step) as EdgesOfStep;
      ofSteps.delete(batch.step);
      return trainStep({ ...parts, task: edgeLoss(learnt, own, context), lr }, batch as TrainBatch, context);
    },
  });
}

/** The seeds of a rank in each step of an epoch: the distinct ends of its edges. */
export function* edgeStepSeeds({ task, edges }: LearntEdges, plan: StepPlan): Generator<Int32Array, void, undefined> {
  for (const ids of epochSeeds(task.seedsOf("train"), plan)) yield distinctEnds(takePairs(edges, ids)).seeds;
}

/** The distinct ends of each step's edges, as they are asked for; keeps where each edge's ends are among them. */
function* endsOf(
  steps: readonly Int32Array[],
  { edges }: LearntEdges,
  epoch: number,
  ofSteps: Map<number, EdgesOfStep>,
): Generator<SeedBatch> {
  for (const [step, ids] of steps.entries()) {
    const { seeds, ...rows } = distinctEnds(takePairs(edges, ids));
    ofSteps.set(step, { ids, ...rows });
    yield { seeds, epoch, step };
  }
}
