import { getBackend, tensor2d, tidy } from "../backends/tf.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { GnnModel, Layer, LayerInput } from "../nn/model.ts";
import { aggregatesFirst } from "../ops/aggregate-order.ts";
import { edgeBlock } from "../sampling/edge-block.ts";
import { fullBlock } from "../sampling/full-block.ts";
import { attachDegrees } from "../sampling/with-degrees.ts";
import { agreeToContinue } from "../train/agreement.ts";
import { type NodeRange, rankShare } from "./rank-share.ts";

export interface LayerwiseChunk {
  readonly layer: number;
  /** GlobalId of the chunk's first row */
  readonly firstNode: number;
  /** float32 [numRows, outDim of the layer] */
  readonly rows: Float32Array;
}

/** Input of the first layer for the nodes [firstNode, firstNode + count): the block it is applied to, and its rows. */
export type FirstLayerInput = (firstNode: number, count: number) => Promise<{ block: Block; features: FeatureRows }>;

export interface LayerwiseParts {
  readonly model: GnnModel;
  readonly graph: CscGraph;
  readonly features: FeatureStore;
  readonly rank: RankContext;
  readonly signal: AbortSignal;
  /** Instead of graph and features, where the first layer's sums over neighbours are known already */
  readonly firstLayer?: FirstLayerInput | undefined;
  /** Nodes computed at a time; bounds the memory, does not change the result. */
  readonly chunkSize?: number;
  /**
   * float32 [numNodes, dim] that receives the rows of a layer: the same memory for every rank of the host.
   * The last layer may have none (null) when `onChunk` takes its rows.
   */
  readonly outputOf: (layer: number, dim: number) => Float32Array | null;
  readonly onChunk?: (chunk: LayerwiseChunk) => void;
  readonly onProgress?: (completed: number, total: number) => void;
}

const noDropout = { training: false, seed: 0, epoch: 0, step: 0 } as const;

/**
 * Exact inference, layer by layer: layer l of *all* nodes before layer l + 1 of any, so each row is computed once and
 * from its whole neighbourhood. Every rank does a contiguous share of the GlobalIds; a barrier ends each layer.
 *
 *   h⁰ = features;  hˡ⁺¹[v] = layerˡ(hˡ[v], {hˡ[u] : u → v})
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function layerwiseInference(parts: LayerwiseParts): Promise<void> {
  const { graph, rank, model } = parts;
  const share = rankShare(graph.numNodes, rank);
  const blockAt = lastOne((firstNode: number, count: number) => blockOf(parts, firstNode, count));
  let input: FeatureStore = parts.features;
  for (const [index, layer] of model.layers.entries()) {
    const output = parts.outputOf(index, layer.outDim);
    await forEachChunk(parts, share, async (firstNode, count) => {
      const known = index === 0 && (await parts.firstLayer?.(firstNode, count));
      const inPlace = !known && (await inputInPlace(parts, layer, input, firstNode, count));
      const { block, features } = known || inPlace || (await inputOf(input, await blockAt(firstNode, count)));
      const result = tidy(() => layer.forward(block, inPlace ? features : layerInput(index, features), noDropout));
      const rows = result.dataSync<"float32">(); // not inside tidy, which walks through every element of its result
      result.dispose();
      output?.set(rows, firstNode * layer.outDim);
      parts.onChunk?.({ layer: index, firstNode, rows });
      parts.onProgress?.(index * share.count + firstNode + count - share.first, share.count * model.layers.length);
    });
    await agreeToContinue(rank.collective, parts.signal);
    if (output) input = new DenseFeatureStore(layer.outDim, [output]);
  }
}

/** Ends early when this rank was told to stop; the others hear of it at the end of the layer. */
async function forEachChunk(
  { chunkSize = 4096, signal }: LayerwiseParts,
  { first, count }: NodeRange,
  work: (firstNode: number, count: number) => Promise<void>,
): Promise<void> {
  for (let done = 0; done < count && !signal.aborted; done += chunkSize) {
    await work(first + done, Math.min(chunkSize, count - done));
  }
}

/** Block and rows for a layer that sums rows where they lie; null when it would rather transform each node's row once. */
async function inputInPlace(
  { model, graph }: LayerwiseParts,
  layer: Layer,
  input: FeatureStore,
  firstNode: number,
  count: number,
) {
  if (!layer.readsRowsByEdge || !model.usesNeighbors || getBackend() !== "native") return null;
  if (!(input instanceof DenseFeatureStore && input.isReadInPlace)) return null;
  const block = await edgeBlock(graph, firstNode, count);
  if (!aggregatesFirst(block, input.dim, layer.outDim)) return null;
  return inputOf(input, model.usesDegrees ? await attachDegrees(graph, block) : block);
}

async function inputOf(input: FeatureStore, block: Block) {
  return { block, features: await input.gatherAsync(block.srcIds) };
}

/** Remembers the last block: a rank whose nodes fit into one chunk makes it once for all layers. */
function lastOne(make: (firstNode: number, count: number) => Promise<Block>): typeof make {
  let last: { firstNode: number; count: number; block: Block } | null = null;
  return async (firstNode, count) => {
    if (last?.firstNode === firstNode && last.count === count) return last.block;
    last = null; // not two at a time
    const block = await make(firstNode, count);
    last = { firstNode, count, block };
    return block;
  };
}

async function blockOf({ model, graph }: LayerwiseParts, firstNode: number, count: number): Promise<Block> {
  if (model.usesNeighbors) {
    const block = await fullBlock(graph, firstNode, count);
    return model.usesDegrees ? attachDegrees(graph, block) : block;
  }
  return edgelessBlock(Int32Array.from({ length: count }, (_, i) => firstNode + i));
}

/** The first layer takes feature rows as they are (perhaps CSR), every later one a tensor, unless it reads in place. */
function layerInput(layer: number, rows: FeatureRows): LayerInput {
  return layer === 0 ? rows : tensor2d(rows.values, [rows.numRows, rows.dim]);
}
