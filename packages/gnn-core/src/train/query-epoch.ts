import type { DecoderProduct, LinkDecoder } from "../links/decoders/link-decoder.ts";
import { withLinkPenalty } from "../links/link-penalty.ts";
import { kVsAllLoss, type LinkLearning } from "../links/link-task.ts";
import { type QueryBatch, queryBatches } from "../links/query-batches.ts";
import type { TrainingQueries } from "../links/training-queries.ts";
import { EdgeLoader, type EdgeMiniBatch } from "../sampling/edge-loader.ts";
import type { TaskLoss } from "../tasks/node-task.ts";
import { stepBatchSize } from "./batch-size.ts";
import { type EpochResult, maxBytesAhead, onTask, rankOf, type StepsParts, takeSteps } from "./train-epoch.ts";

/** The loss of a step by its batch and the targets of its queries */
type QueryLoss = (batch: EdgeMiniBatch, asked: Pick<QueryBatch, "starts" | "targets">) => TaskLoss;

/** What is learnt of the queries of a step: all targets of each among all nodes, and maybe a penalty. */
export function kVsAllLossOf(
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

/** Visits every training query once, with all of its targets. */
export async function trainQueryEpoch(
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
