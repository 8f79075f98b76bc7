import { loadAddon } from "../backends/native/addon.ts";
import type { CsrRows } from "../backends/native/graph-addon.ts";
import { nativeBlock } from "../backends/native/kernels/block-args.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { rankShare } from "../dist/rank-share.ts";
import type { SharedRows } from "../dist/shared-rows.ts";
import { CsrFeatureStore } from "../features/csr-feature-store.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import { fullBlock } from "../sampling/full-block.ts";
import { attachDegrees } from "../sampling/with-degrees.ts";
import { drawnWeights, type NeighborSum } from "./neighbor-sum.ts";

export interface AggregateFeatures {
  readonly sum: NeighborSum;
  readonly features: FeatureStore;
  readonly rank: RankContext;
  readonly sharedRows: SharedRows;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

/** Nodes summed at a time: bounds the memory, does not change the result. */
const chunkSize = 4096;

/**
 * U⁰ = Ã·X, the first sum over neighbours of every node, computed once: the input rows never change (Chen, Zhu and Song
 * 2018, section 4.3; source B's preprocessing). Each rank sums its share of the nodes into memory that all share;
 * dense rows give dense sums [numNodes, dim], CSR rows CSR sums, which no step makes dense.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export function aggregateFeatures(parts: AggregateFeatures): Promise<FeatureStore> {
  return parts.features.kind === "dense" ? aggregateDense(parts) : aggregateCsr(parts);
}

async function aggregateDense(parts: AggregateFeatures): Promise<FeatureStore> {
  const { sum, features, rank, sharedRows, signal } = parts;
  const { dim } = features;
  const out = sharedRows("aggregated-features", sum.graph.numNodes * dim);
  await forEachChunk(parts, (block, rows, firstNode) => {
    const { edgeWeights, selfWeights } = drawnWeights(sum.type, block);
    const target = out.subarray(firstNode * dim, (firstNode + block.numDst) * dim);
    nativeSync(() => loadAddon().weightedSpmm(nativeBlock(block), dim, edgeWeights, selfWeights, rows.values, target));
  });
  await agreeToContinue(rank.collective, signal);
  return new DenseFeatureStore(dim, [out]);
}

/** Twice around the ranks: first how long each row is, then the rows, at the places that follow from the lengths. */
async function aggregateCsr(parts: AggregateFeatures): Promise<FeatureStore> {
  const { sum, features, rank, sharedRows, signal } = parts;
  const { numNodes } = sum.graph;
  const { dim } = features;
  const lengths = asInts(sharedRows("aggregated-lengths", numNodes));
  const chunks: { readonly firstNode: number; readonly rows: CsrRows }[] = [];
  await forEachChunk(parts, (block, gathered, firstNode) => {
    const rows = sumCsrRows(sum, block, gathered);
    for (let row = 0; row < block.numDst; row++) lengths[firstNode + row] = rows.indptr[row + 1]! - rows.indptr[row]!;
    chunks.push({ firstNode, rows });
  });
  await agreeToContinue(rank.collective, signal);
  const indptr = offsetsOf(lengths);
  const numValues = Number(indptr[numNodes]);
  const indices = asInts(sharedRows("aggregated-indices", numValues));
  const values = sharedRows("aggregated-values", numValues);
  for (const { firstNode, rows } of chunks) {
    const at = Number(indptr[firstNode]);
    indices.set(rows.indices, at);
    values.set(rows.values, at);
  }
  await agreeToContinue(rank.collective, signal);
  return new CsrFeatureStore(dim, [{ indptr, indices, values }]);
}

function sumCsrRows(sum: NeighborSum, block: Block, rows: FeatureRows): CsrRows {
  if (rows.kind !== "csr") throw new TypeError("The feature store gave dense rows; it calls itself CSR.");
  const { edgeWeights, selfWeights } = drawnWeights(sum.type, block);
  const { dim, indptr, indices, values } = rows;
  return nativeSync(() =>
    loadAddon().sumCsrRows(nativeBlock(block), dim, edgeWeights, selfWeights, indptr, indices, values),
  );
}

/** The blocks of this rank's nodes, each with the feature rows of its src nodes; ends early when told to stop. */
async function forEachChunk(
  { sum, features, rank, signal, onProgress }: AggregateFeatures,
  work: (block: Block, rows: FeatureRows, firstNode: number) => void,
): Promise<void> {
  const { first, count } = rankShare(sum.graph.numNodes, rank);
  for (let done = 0; done < count && !signal.aborted; done += chunkSize) {
    const block = await fullBlock(sum.graph, first + done, Math.min(chunkSize, count - done));
    const weighted = sum.type === "gcn" ? await attachDegrees(sum.graph, block) : block;
    work(weighted, await features.gatherAsync(block.srcIds), first + done);
    onProgress();
  }
}

function asInts(floats: Float32Array): Int32Array {
  return new Int32Array(floats.buffer, floats.byteOffset, floats.length);
}

function offsetsOf(lengths: Int32Array): BigInt64Array {
  const offsets = new BigInt64Array(lengths.length + 1);
  let end = 0;
  for (let row = 0; row < lengths.length; row++) {
    end += lengths[row] as number;
    offsets[row + 1] = BigInt(end);
  }
  return offsets;
}
