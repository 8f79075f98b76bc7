import type { CscGraph } from "../graph/csc-graph.ts";
import { askedDirection } from "../links/asked-direction.ts";
import { cosineDecoder } from "../links/decoders/cosine.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { type LinkBatch, type LinkEpoch, linkBatches } from "../links/link-batches.ts";
import { linksOf, withLinkPenalty } from "../links/link-penalty.ts";
import { type LinkLearning, linkLoss, oneVsAllLoss, sharedLoss } from "../links/link-task.ts";
import type { SharedNodes } from "../links/negatives/shared.ts";
import type { TrainingQueries } from "../links/training-queries.ts";
import { distinctEnds, EdgeLoader, type EdgeMiniBatch } from "../sampling/edge-loader.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
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
  const { split, penalty } = links;
  const numTrain = split.train.src.length;
  const batchSize = stepBatchSize({ ...parts, numTrain });
  const planned = plannedBatches(links, {
    ...rankOf(rank),
    linkTimes: sampler.sampleAt && split.times ? split.times.train : null,
    seedsAll: readsAllNodes(links, { sampler, graph: data.graph, batchSize }),
    seed: train.seed,
    epoch,
    batchSize,
  });
  const steps = new Map<number, LinkBatch>();
  const loader = new EdgeLoader({
    sampler,
    graph: data.graph,
    features: pass.features,
    batches: remembered(planned, steps),
    threads: parts.samplerThreads,
    maxBytes: maxBytesAhead,
  });
  const lossOf = lossOfSteps(links, decoder);
  return takeSteps(parts, loader, {
    epoch,
    firstStep,
    numSteps: Math.ceil(numTrain / batchSize),
    take: onTask(parts, (batch) => {
      const planned = steps.get(batch.step) as LinkBatch;
      steps.delete(batch.step);
      const lost = lossOf(batch, planned);
      return penalty ? withLinkPenalty(lost, penalty, decoder, linksOf(batch, planned.numLinks)) : lost;
    }),
  });
}

/** Whether each step computes rows of all nodes: it scores links with all of them, or reaches all of them anyway. */
export function readsAllNodes(
  { shared, oneVsAll, kVsAll }: Pick<LinkLearning, "shared" | "oneVsAll" | "kVsAll">,
  { sampler, graph, batchSize }: { readonly sampler: Sampler; readonly graph: CscGraph; readonly batchSize: number },
): boolean {
  if (oneVsAll || kVsAll) return true;
  return Boolean(shared && sampler.takesAll && neighborsOf(graph, batchSize) >= graph.numNodes);
}

/**
 * The seeds of a rank in each step of an epoch: the ends of its pairs, and what its links share. None where links are
 * scored with all nodes, of which every step reads all rows.
 */
export function* linkStepSeeds(links: LinkLearning, plan: StepPlan): Generator<Int32Array, void, undefined> {
  if (links.oneVsAll || links.kVsAll) return;
  for (const { pairs, others } of plannedBatches(links, plan)) yield distinctEnds(pairs, others).seeds;
}

/** Which steps of which epoch, and whose */
export type StepPlan = Pick<LinkEpoch, "seed" | "epoch" | "batchSize" | "rank" | "worldSize">;

function plannedBatches(
  { split, negatives, shared = null, recommends }: LinkLearning,
  plan: StepPlan & Pick<LinkEpoch, "linkTimes" | "seedsAll">,
): Generator<LinkBatch, void, undefined> {
  const asksFromSource = askedDirection(recommends?.to ?? null, split.groups);
  return linkBatches({ ...split, negatives, shared, asksFromSource, ...plan });
}

/** What is learnt of the links of a step: against all nodes, nodes that they share, or negatives of each. */
function lossOfSteps(
  { split, negatives, shared, loss, oneVsAll, learnsCosines = false }: LinkLearning,
  scoredBy: LinkDecoder,
): (batch: EdgeMiniBatch, planned: LinkBatch) => TaskLoss {
  const { seen, groups } = split;
  const decoder = learnsCosines ? cosineDecoder() : scoredBy;
  const { product } = decoder;
  if (oneVsAll && product) return (batch) => oneVsAllLoss(product, batch, { ...oneVsAll, groups });
  if (shared && product) {
    return (batch, { pairs, shared: nodes }) =>
      sharedLoss({ product, loss, seen, groups }, batch, { pairs, shared: nodes ?? noSharedNodes });
  }
  const task = { decoder, loss, perLink: negatives.perLink };
  return (batch, { numLinks }) => linkLoss(task, batch, numLinks);
}

const noSharedNodes: SharedNodes = { nodes: new Int32Array(), sets: [] };

/** Neighbours of the ends of a step's links, each counted as often: where they come to all nodes, all are read. */
function neighborsOf({ numNodes, numEdges }: CscGraph, batchSize: number): number {
  return (batchSize * numEdges) / numNodes;
}

/** Keeps what each step was planned to be until it is taken. */
function* remembered(batches: Iterable<LinkBatch>, steps: Map<number, LinkBatch>): Generator<LinkBatch> {
  for (const batch of batches) {
    steps.set(batch.step, batch);
    yield batch;
  }
}
