import { keyedOrder } from "../random/keyed-order.ts";

/**
 * The order in which one epoch visits the training nodes: a permutation that depends on (seed, epoch) and the ids.
 *
 * @param trainIds GlobalIds, each once, in any order
 */
export function epochOrder(trainIds: Int32Array, seed: number, epoch: number): Int32Array {
  return keyedOrder(trainIds, seed, epoch);
}

/** Number of steps of an epoch; the same on every rank. 4,097 seeds in batches of 1,024: 5. */
export function stepsPerEpoch(numTrain: number, batchSize: number): number {
  return Math.ceil(numTrain / batchSize);
}

/**
 * The least batch size that takes no more steps: the batches it cuts differ by less than one a step. 1,025 of 1,024:
 * 513.
 */
export function evenBatchSize(numTrain: number, batchSize: number): number {
  return Math.max(1, Math.ceil(numTrain / stepsPerEpoch(numTrain, batchSize)));
}

/** Cuts ids into global batches, one per step; only the last may be smaller. Views, not copies. */
export function globalBatches(ids: Int32Array, batchSize: number): Int32Array[] {
  return Array.from({ length: stepsPerEpoch(ids.length, batchSize) }, (_, step) =>
    ids.subarray(step * batchSize, (step + 1) * batchSize),
  );
}

/**
 * The seeds of one rank in one step: the global batch in ascending order (so that a rank's slice lies mostly in
 * its own part, GlobalIds being contiguous per part), cut into `worldSize` slices whose sizes differ by at most one.
 * Rank r has [floor(r·n/k), floor((r+1)·n/k)): together exactly the batch, each seed once. A slice may be empty.
 */
export function rankSeeds(globalBatch: Int32Array, rank: number, worldSize: number): Int32Array {
  const n = globalBatch.length;
  const first = Math.floor((rank * n) / worldSize);
  const end = Math.floor(((rank + 1) * n) / worldSize);
  return globalBatch.toSorted().slice(first, end);
}

/** The seeds of one rank for every step of one epoch; every rank gets equally many steps by construction. */
export function epochSeeds(
  trainIds: Int32Array,
  options: {
    readonly seed: number;
    readonly epoch: number;
    readonly batchSize: number;
    readonly rank: number;
    readonly worldSize: number;
  },
): Int32Array[] {
  const order = epochOrder(trainIds, options.seed, options.epoch);
  return globalBatches(order, options.batchSize).map((batch) => rankSeeds(batch, options.rank, options.worldSize));
}
