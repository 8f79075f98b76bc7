import type { EdgeBatch } from "../sampling/edge-loader.ts";
import { epochOrder, globalBatches } from "../sampling/seed-split.ts";
import { type NodePairs, takePairs } from "./node-pairs.ts";
import type { TrainingQueries } from "./training-queries.ts";

export interface QueryEpoch {
  readonly queries: TrainingQueries;
  readonly seed: number;
  readonly epoch: number;
  /** Queries of a step, over all ranks */
  readonly batchSize: number;
  readonly rank: number;
  readonly worldSize: number;
}

/** One rank's queries in one step: `pairs`, and the targets of each as `TrainingQueries` has them. */
export interface QueryBatch extends EdgeBatch, Pick<TrainingQueries, "starts" | "targets"> {}

/**
 * The steps of an epoch: every query once, in an order that depends on the seed and the epoch. Rank r of k asks the
 * queries [⌊r·n/k⌋, ⌊(r+1)·n/k⌋) of a step; no link that answers a query of the step carries a message on any rank.
 */
export function* queryBatches(options: QueryEpoch): Generator<QueryBatch, void, undefined> {
  const { queries, seed, epoch, batchSize, rank, worldSize } = options;
  const order = epochOrder(Int32Array.from(queries.pairs.src.keys()), seed, epoch);
  for (const [step, ids] of globalBatches(order, batchSize).entries()) {
    const first = Math.floor((rank * ids.length) / worldSize);
    const own = ids.subarray(first, Math.floor(((rank + 1) * ids.length) / worldSize));
    yield {
      pairs: takePairs(queries.pairs, own),
      without: answersOf(queries, ids),
      seedsAll: true,
      ...targetsOf(queries, own),
      epoch,
      step,
    };
  }
}

function targetsOf({ starts, targets }: TrainingQueries, ids: Int32Array): Pick<QueryBatch, "starts" | "targets"> {
  const lists = Array.from(ids, (id) => targets.subarray(starts[id], starts[id + 1]));
  const begins = new Int32Array(ids.length + 1);
  for (const [i, { length }] of lists.entries()) begins[i + 1] = (begins[i] as number) + length;
  const joined = new Int32Array(begins.at(-1) as number);
  for (const [i, list] of lists.entries()) joined.set(list, begins[i]);
  return { starts: begins, targets: joined };
}

/** The links between each query's source and its targets */
function answersOf(queries: TrainingQueries, ids: Int32Array): NodePairs {
  const { starts, targets } = targetsOf(queries, ids);
  const src = new Int32Array(targets.length);
  for (const [i, id] of ids.entries()) src.fill(queries.pairs.src[id] as number, starts[i], starts[i + 1]);
  return { src, dst: targets };
}
