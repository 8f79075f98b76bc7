import type { DecoderProduct, LinkDecoder } from "../links/decoders/link-decoder.ts";
import { type LinkBatch, linkBatches } from "../links/link-batches.ts";
import { linksOf, withLinkPenalty } from "../links/link-penalty.ts";
import { kVsAllLoss, type LinkLearning, linkLoss, oneVsAllLoss } from "../links/link-task.ts";
import { type QueryBatch, queryBatches } from "../links/query-batches.ts";
import type { TrainingQueries } from "../links/training-queries.ts";
import { EdgeLoader, type EdgeMiniBatch } from "../sampling/edge-loader.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import { stepBatchSize } from "./batch-size.ts";
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
    const { kVsAll } = links;
    const lossOf = kVsAllLossOf(decoder, decoder.product, { ...links, kVsAll });
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

/** The loss of a step by its batch and the targets of its queries */
type QueryLoss = (batch: EdgeMiniBatch, asked: Pick<QueryBatch, "starts" | "targets">) => TaskLoss;

function kVsAllLossOf(
  decoder: LinkDecoder,
  product: DecoderProduct,
  { kVsAll, split: { groups }, penalty }: LinkLearning & Required<Pick<LinkLearning, "kVsAll">>,
): QueryLoss {
  return ({ srcRows, relations }, { starts, targets }) => {
    const asked = { srcRows, ...(relations && { relations }), starts, targets };
    const lost = kVsAllLoss(product, asked, { ...kVsAll, groups });
    return penalty ? withLinkPenalty(lost, penalty, decoder, asked) : lost;
  };
}

async function trainQueryEpoch(
  parts: StepsParts,
  { queries, lossOf }: { readonly queries: TrainingQueries; readonly lossOf: QueryLoss },
  epoch: number,
  firstStep: number,
): Promise<EpochResult> {
  const { rank, train, pass, sampler, data } = parts;
  const numTrain = queries.pairs.src.length;
  const batchSize = stepBatchSize({ ...parts, numTrain });
  const asked = new Map<number, QueryBatch>();
  const planned = queryBatches({ queries, seed: train.seed, epoch, batchSize, ...rankOf(rank) });
  const loader = new EdgeLoader({
    sampler,
    graph: data.graph,
    features: pass.features,
    batches: remembered(planned, asked),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  return takeSteps(parts, loader, {
    epoch,
    firstStep,
    numSteps: Math.ceil(numTrain / batchSize),
    take: onTask(parts, (batch) => {
      const step = asked.get(batch.step) as QueryBatch;
      asked.delete(batch.step);
      return lossOf(batch, step);
    }),
  });
}

/** Keeps the queries of each step until it is taken. */
function* remembered(batches: Iterable<QueryBatch>, asked: Map<number, QueryBatch>): Generator<QueryBatch> {
  for (const batch of batches) {
    asked.set(batch.step, batch);
    yield batch;
  }
}

/** Keeps how many pairs of each step are links. */
function* counted(batches: Iterable<LinkBatch>, numLinks: Map<number, number>): Generator<LinkBatch> {
  for (const batch of batches) {
    numLinks.set(batch.step, batch.numLinks);
    yield batch;
  }
}
