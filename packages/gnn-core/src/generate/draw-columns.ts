import { loadAddon } from "../backends/native/addon.ts";
import type { PairSourceHandle } from "../backends/native/generate-addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { StepProgress } from "../io/step-progress.ts";
import type { PairStore } from "./pair-store.ts";

/** Ranks lie below 2^53, in 4,096 bins (native/include/gnn/generate/distinct_pairs.h). */
const numRanks = 2 ** 53;
const numBins = 4_096;
const maxRounds = 200;
/** Draws for each pair at first; later the last round tells how many of the draws were new. */
const drawsPerPair = 1.3;
const margin = 1.15;
const leastNew = 0.05;

export interface DrawnGraph {
  readonly source: PairSourceHandle;
  readonly numNodes: number;
  /** Distinct undirected pairs without self-loops */
  readonly numPairs: number;
  readonly seed: number;
}

/** How the keys are spread: nodes a bucket, and draws at a time. */
export interface Buckets {
  readonly store: PairStore;
  readonly nodesPerBucket: number;
  readonly drawsAtOnce: number;
}

/**
 * The columns of a range of dst nodes, in both directions of every pair; offsets count from the whole graph's start.
 */
export interface ColumnRange {
  readonly firstNode: number;
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
}

/**
 * Draws pairs until enough are distinct, drops a random surplus and gives the columns range by range. Fewer pairs come
 * when the model has no more to give. Which pairs these are depends on the source and the seed, not on the buckets.
 *
 * @throws GnnError CANCELLED
 */
export async function* drawColumns(
  graph: DrawnGraph,
  buckets: Buckets,
  progress: StepProgress,
): AsyncGenerator<ColumnRange> {
  const ranges = rangesOf(graph.numNodes, buckets.nodesPerBucket);
  let bins = new Float64Array(numBins);
  let have = 0;
  let drawn = 0;
  let drawsPerNew = drawsPerPair;
  for (let round = 0; have < graph.numPairs && round < maxRounds; round++) {
    const count = Math.ceil((graph.numPairs - have) * drawsPerNew) + 100;
    await drawRound(graph, buckets, progress, drawn, count);
    drawn += count;
    bins = await dedupe(graph, buckets, ranges, progress);
    const before = have;
    have = bins.reduce((sum, inBin) => sum + inBin, 0);
    drawsPerNew = margin / Math.max(leastNew, (have - before) / count);
  }
  const lastRank = await rankOfLast(graph, buckets, ranges, bins);
  let firstEdge = 0;
  for (const [bucket, { firstNode, numNodes }] of ranges.entries()) {
    progress.report("columns", firstNode, graph.numNodes, "nodes");
    const keys = await buckets.store.read(bucket);
    const columns = await native(() =>
      loadAddon().columnsOf(keys, firstNode, numNodes, graph.seed, lastRank, firstEdge),
    );
    buckets.store.release(keys);
    firstEdge += columns.indices.length;
    yield { firstNode, ...columns };
  }
}

interface NodeRange {
  readonly firstNode: number;
  readonly numNodes: number;
}

function rangesOf(numNodes: number, nodesPerBucket: number): NodeRange[] {
  return Array.from({ length: Math.ceil(numNodes / nodesPerBucket) }, (_, bucket) => {
    const firstNode = bucket * nodesPerBucket;
    return { firstNode, numNodes: Math.min(nodesPerBucket, numNodes - firstNode) };
  });
}

async function drawRound(
  { source, numPairs }: DrawnGraph,
  { store, nodesPerBucket, drawsAtOnce }: Buckets,
  progress: StepProgress,
  first: number,
  count: number,
): Promise<void> {
  for (let done = 0; done < count; done += drawsAtOnce) {
    progress.report("pairs", Math.min(first + done, numPairs), numPairs, "pairs");
    const atOnce = Math.min(drawsAtOnce, count - done);
    const { keys, ends } = await native(() => loadAddon().drawPairs(source, first + done, atOnce, nodesPerBucket));
    for (const [bucket, end] of ends.entries()) {
      const begin = bucket === 0 ? 0 : (ends[bucket - 1] as number);
      if (end > begin) await store.append(bucket, keys.subarray(begin, end));
    }
    store.release(keys);
  }
}

/** Leaves every bucket ascending and without repeats. @returns the number of pairs in each bin of ranks */
async function dedupe(graph: DrawnGraph, { store }: Buckets, ranges: readonly NodeRange[], progress: StepProgress) {
  const bins = new Float64Array(numBins);
  for (const [bucket, { firstNode, numNodes }] of ranges.entries()) {
    progress.report("distinct pairs", firstNode, graph.numNodes, "nodes");
    const keys = await store.read(bucket);
    const distinct = await native(() => loadAddon().distinctKeys(keys, firstNode, numNodes, graph.seed));
    for (const [bin, count] of distinct.bins.entries()) bins[bin]! += count;
    store.release(keys);
    await store.replace(bucket, distinct.keys);
    store.release(distinct.keys);
  }
  return bins;
}

/** The rank up to which exactly `numPairs` pairs remain. */
async function rankOfLast(
  { numPairs, seed }: DrawnGraph,
  { store }: Buckets,
  ranges: readonly NodeRange[],
  bins: Float64Array,
): Promise<number> {
  let below = 0;
  const bin = bins.findIndex((count) => {
    if (below + count >= numPairs) return true;
    below += count;
    return false;
  });
  if (bin === -1) return numRanks;
  const pieces: Float64Array[] = [];
  for (const [bucket, { firstNode, numNodes }] of ranges.entries()) {
    const keys = await store.read(bucket);
    pieces.push(await native(() => loadAddon().ranksInBin(keys, firstNode, numNodes, seed, bin)));
    store.release(keys);
  }
  const ranks = Float64Array.from(pieces.flatMap((piece) => [...piece])).toSorted();
  return ranks[numPairs - below - 1] ?? numRanks;
}
