import { NodeLoader } from "../sampling/node-loader.ts";
import type { BatchKey, Sampler } from "../sampling/sampler.ts";
import { epochSeeds } from "../sampling/seed-split.ts";
import { skipGramLoss } from "../walks/walk-objective.ts";
import { type WalkPairs, walkPairs } from "../walks/walk-pairs.ts";
import { type EpochResult, maxBytesAhead, onTask, rankOf, type StepsParts, takeSteps } from "./train-epoch.ts";
import type { TrainBatch } from "./train-step.ts";
import type { WalkLearning } from "./walk-learning.ts";

/** A batch of the nodes of some walks' pairs, each once. */
interface WalkBatch extends TrainBatch {
  readonly pairs: WalkPairs;
}

/**
 * Walks from every node that has an edge: `trainEpoch` of tasks that learn from walks. A rank walks from its share of
 * the starts of each step; no start's walks or draws depend on the others.
 */
export async function trainWalkEpoch(
  parts: StepsParts,
  { starts, options }: WalkLearning,
  epoch: number,
  firstStep: number,
): Promise<EpochResult> {
  const { rank, train, data, sampler } = parts;
  const key = { seed: train.seed, epoch };
  const made = new Map<number, WalkPairs>();
  const ofPairs: Sampler = {
    async sample(ofRank: Int32Array, { step }: BatchKey, signal?: AbortSignal) {
      const pairs = await walkPairs(data.graph, ofRank, options, key);
      made.set(step, pairs);
      return sampler.sample(pairs.nodes, { epoch, step }, signal);
    },
  };
  const seeds = epochSeeds(starts, { ...train, ...rankOf(rank), epoch });
  const loader = new NodeLoader({
    sampler: ofPairs,
    features: null,
    labels: null,
    batches: seeds.map((ids, step) => ({ seeds: ids, epoch, step })),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  return takeSteps(parts, withRows(parts, loader, made), {
    epoch,
    firstStep,
    numSteps: seeds.length,
    take: onTask(parts, ({ pairs }: WalkBatch) => skipGramLoss(pairs)),
  });
}

/** Reads the rows of the pairs' nodes, which are known when the walks are. */
async function* withRows(
  { pass }: StepsParts,
  loader: NodeLoader,
  made: Map<number, WalkPairs>,
): AsyncGenerator<WalkBatch> {
  for await (const batch of loader) {
    const startedAt = performance.now();
    const pairs = made.get(batch.step) as WalkPairs;
    made.delete(batch.step);
    const inputNodes = batch.blocks[0]?.srcIds ?? pairs.nodes;
    const features = await pass.features.gatherAsync(inputNodes);
    const gatherMs = performance.now() - startedAt;
    yield { ...batch, seeds: pairs.nodes, inputNodes, features, pairs, gatherMs };
  }
}
