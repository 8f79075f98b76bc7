import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { type LinkBatch, linkBatches } from "../links/link-batches.ts";
import { linksOf, withLinkPenalty } from "../links/link-penalty.ts";
import { type LinkLearning, linkLoss, oneVsAllLoss } from "../links/link-task.ts";
import type { TrainingQueries } from "../links/training-queries.ts";
import { EdgeLoader, type EdgeMiniBatch } from "../sampling/edge-loader.ts";
import { stepBatchSize } from "./batch-size.ts";
import { kVsAllLossOf, trainQueryEpoch } from "./query-epoch.ts";
import { type EpochResult, maxBytesAhead, onTask, rankOf, type StepsParts, takeSteps } from "./train-epoch.ts";

export interface LearntLinks {
  readonly links: LinkLearning;
  readonly decoder: LinkDecoder;
  /** What an epoch visits in place of links; null: links */
  readonly queries: TrainingQueries | null;
}

/** Visits every training link once, beside its negatives, or every query: `trainEpoch` of links. */
export async function trainLinkEpoch(
  parts: StepsParts,
  { links, decoder, queries }: LearntLinks,
  epoch: number,
  firstStep: number,
): Promise<EpochResult> {
  if (queries && links.kVsAll && decoder.product) {
    const lossOf = kVsAllLossOf(decoder, decoder.product, { ...links, kVsAll: links.kVsAll });
    return trainQueryEpoch(parts, { queries, lossOf }, epoch, firstStep);
  }
  const { rank, train, pass, sampler, data } = parts;
  const { split, negatives, loss, oneVsAll, penalty } = links;
  const numTrain = split.train.src.length;
  const batchSize = stepBatchSize({ ...parts, numTrain });
  const { seed } = train;
  const linkTimes = sampler.sampleAt && split.times ? split.times.train : null;
  const seedsAll = oneVsAll !== undefined;
  const planned = linkBatches({ ...split, linkTimes, negatives, seedsAll, seed, epoch, batchSize, ...rankOf(rank) });
  const numLinks = new Map<number, number>();
  const loader = new EdgeLoader({
    sampler,
    graph: data.graph,
    features: pass.features,
    batches: counted(planned, numLinks),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  const task = { decoder, loss, perLink: negatives.perLink };
  const lossOf = (batch: EdgeMiniBatch, count: number) =>
    oneVsAll && decoder.product
      ? oneVsAllLoss(decoder.product, batch, { ...oneVsAll, groups: split.groups })
      : linkLoss(task, batch, count);
  return takeSteps(parts, loader, {
    epoch,
    firstStep,
    numSteps: Math.ceil(numTrain / batchSize),
    take: onTask(parts, (batch) => {
      const count = numLinks.get(batch.step) ?? 0;
      const lost = lossOf(batch, count);
      return penalty ? withLinkPenalty(lost, penalty, decoder, linksOf(batch, count)) : lost;
    }),
  });
}

/** Keeps how many pairs of each step are links. */
function* counted(batches: Iterable<LinkBatch>, numLinks: Map<number, number>): Generator<LinkBatch> {
  for (const batch of batches) {
    numLinks.set(batch.step, batch.numLinks);
    yield batch;
  }
}
