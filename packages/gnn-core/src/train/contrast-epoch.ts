import { viewFeatures } from "../contrast/view-features.ts";
import { viewBlocks } from "../contrast/view-links.ts";
import { StoredRows } from "../features/stored-rows.ts";
import type { Block } from "../graph/block.ts";
import { releaseBlocks } from "../graph/release-blocks.ts";
import type { MiniBatch } from "../sampling/mini-batch.ts";
import { NodeLoader } from "../sampling/node-loader.ts";
import { epochOrder, globalBatches, rankSeeds } from "../sampling/seed-split.ts";
import type { ContrastLearning } from "./contrast-learning.ts";
import { type ContrastBatch, contrastStep } from "./contrast-step.ts";
import { type EpochResult, maxBytesAhead, type StepsParts, takeSteps } from "./train-epoch.ts";

/** Visits every node once, labelled or not, in both views: `trainEpoch` of tasks that compare views. */
export async function trainContrastEpoch(
  parts: StepsParts,
  learnt: Pick<ContrastLearning, "objective" | "head" | "nodes">,
  epoch: number,
  firstStep: number,
): Promise<EpochResult> {
  const { rank, train } = parts;
  const batches = globalBatches(epochOrder(learnt.nodes, train.seed, epoch), train.batchSize);
  const loader = new NodeLoader({
    sampler: parts.sampler,
    features: null,
    labels: null,
    batches: batches.map((ids, step) => ({ seeds: rankSeeds(ids, rank.rank, rank.worldSize), epoch, step })),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  const placeOf = (step: number) => {
    const numSeeds = batches[step]?.length ?? 0;
    return { first: Math.floor((rank.rank * numSeeds) / rank.worldSize), numSeeds };
  };
  const inViews = withViews(parts, learnt, loader, placeOf);
  const stepParts = { ...parts, head: learnt.head, dim: learnt.objective.dim };
  return takeSteps(parts, inViews, {
    epoch,
    firstStep,
    numSteps: batches.length,
    take: (batch, context, lr) => contrastStep({ ...stepParts, lr }, batch, context),
  });
}

/** Their nodes are those of the batch's own blocks, and go with them. */
function releaseViewBlocks(blocks: readonly Block[]): void {
  const none = new Int32Array();
  releaseBlocks(
    blocks.map((block) => ({ ...block, srcIds: none })),
    none,
  );
}

/** Reads the rows of each view. Which they are depends on the step, so they cannot be read by the loader. */
async function* withViews(
  { pass, train, data }: StepsParts,
  { objective }: Pick<ContrastLearning, "objective">,
  loader: AsyncIterable<MiniBatch>,
  placeOf: (step: number) => ContrastBatch["place"],
): AsyncGenerator<ContrastBatch> {
  for await (const batch of loader) {
    const startedAt = performance.now();
    const { epoch, step, blocks, inputNodes } = batch;
    const key = { seed: train.seed, epoch, step };
    const read = (index: 0 | 1) =>
      viewFeatures(pass.features, objective.views[index], index, key).gatherAsync(inputNodes);
    const [first, second] = await Promise.all([read(0), read(1)]);
    const ofViews = objective.views.map((view, index) => viewBlocks(blocks, data.graph, view, index, key));
    yield {
      ...batch,
      features: first,
      views: [
        { features: first, blocks: ofViews[0] as readonly Block[] },
        { features: second, blocks: ofViews[1] as readonly Block[] },
      ],
      place: placeOf(step),
      gatherMs: performance.now() - startedAt,
    };
    for (const made of ofViews) if (made !== blocks) releaseViewBlocks(made);
    // The first view's rows go with the batch.
    if (second instanceof StoredRows) second.release();
  }
}
