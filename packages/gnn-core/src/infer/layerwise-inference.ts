import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { tensorFloats } from "../backends/tensor-floats.ts";
import { getBackend, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { floatsOf, rankShare } from "../dist/rank-share.ts";
import { shareRows } from "../dist/share-rows.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { DenseRows, FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph, NodeRange } from "../graph/csc-graph.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { GnnModel, Layer, LayerInput } from "../nn/model.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { aggregatesFirst } from "../ops/aggregate-order.ts";
import { edgeBlock } from "../sampling/edge-block.ts";
import { fullBlock } from "../sampling/full-block.ts";
import { attachDegrees } from "../sampling/with-degrees.ts";
import { type ChunkOptions, forEachChunk } from "./for-each-chunk.ts";
import { onMeans, type RowsOf } from "./neighbor-means.ts";
import { partitionedInference } from "./partitioned-inference.ts";
import { type ProjectedLayer, projectFirst } from "./project-first.ts";
import { visitOrder } from "./visit-order.ts";

export interface LayerwiseChunk {
  readonly layer: number;
  /** GlobalId of the chunk's first row */
  readonly firstNode: number;
  /** float32 [numRows, outDim of the layer], valid during the call */
  readonly rows: Float32Array;
}

/** Input of the first layer for the nodes [firstNode, firstNode + count): the block it is applied to, and its rows. */
export type FirstLayerInput = (firstNode: number, count: number) => Promise<{ block: Block; features: FeatureRows }>;

export interface LayerwiseParts extends ChunkOptions {
  readonly model: GnnModel;
  readonly graph: CscGraph;
  readonly features: FeatureStore;
  readonly rank: RankContext;
  /** Instead of graph and features, where the first layer's sums over neighbours are known already */
  readonly firstLayer?: FirstLayerInput | undefined;
  /**
   * float32 [numNodes, dim] that receives the rows of a layer: the same memory for every rank of the host.
   * The last layer may have none (null) when `onChunk` takes its rows.
   */
  readonly outputOf: (layer: number, dim: number) => Float32Array | null;
  /**
   * float32 [numNodes, dim] for the rows that a layer projects before it sums them: the same memory for every rank of
   * the host, and for every layer. Left out: all layers sum first.
   */
  readonly projectedOf?: (dim: number) => Float32Array;
  readonly onChunk?: (chunk: LayerwiseChunk) => void;
  readonly onProgress?: (completed: number, total: number) => void;
}

/**
 * Exact inference, layer by layer: layer l of *all* nodes before layer l + 1 of any, so each row is computed once and
 * from its whole neighbourhood. Every rank does a contiguous share of the GlobalIds; a barrier ends each layer.
 *
 *   h⁰ = features;  hˡ⁺¹[v] = layerˡ(hˡ[v], {hˡ[u] : u → v})
 *
 * Where ranks hold parts of the graph, each does its own nodes and `outputOf` is left alone: see
 * `partitionedInference`.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function layerwiseInference(parts: LayerwiseParts): Promise<void> {
  const { graph, rank, model } = parts;
  if (graph.remote) {
    await partitionedInference(parts, graph.remote, false);
    return;
  }
  const share = rankShare(graph.numNodes, rank);
  const blockAt = lastOne((firstNode: number, count: number) => blockOf(parts, firstNode, count));
  let hidden: DenseFeatureStore | null = null;
  for (const [index, layer] of model.layers.entries()) {
    const output = parts.outputOf(index, layer.outDim);
    const firstLayer = index === 0 ? parts.firstLayer : undefined;
    const input: FeatureStore = hidden ?? parts.features;
    const projected = firstLayer ? null : await projectFirst(parts, layer, input, share);
    const chunk: ChunkParts = { ...parts, index, layer, input, firstLayer, blockAt };
    const onProgress = (completed: number) =>
      parts.onProgress?.(index * share.count + completed, share.count * model.layers.length);
    const means = firstLayer ? null : onMeans({ ...chunk, projected });
    const order = means && output && (await visitOrder(graph, share, widestSum(parts)));
    if (means && output && order) {
      await inOrder({ parts, share, order, rowsOf: means, output, dim: layer.outDim, onProgress });
      await forEachChunk(parts, share, async (firstNode, count) => {
        const rows = output.subarray(firstNode * layer.outDim, (firstNode + count) * layer.outDim);
        parts.onChunk?.({ layer: index, firstNode, rows });
      });
    } else {
      const compute = means ? onRange(means) : onBlocks(chunk, projected);
      await forEachChunk(parts, share, async (firstNode, count) => {
        const result = await compute(firstNode, count);
        const rows = tensorFloats(result);
        output?.set(rows, firstNode * layer.outDim);
        parts.onChunk?.({ layer: index, firstNode, rows });
        onProgress(firstNode + count - share.first);
        result.dispose();
      });
    }
    await agreeToContinue(rank.collective, parts.signal);
    for (const read of [hidden, projected?.rows]) read?.forgetCopies();
    if (!output) continue;
    await shareRows(rank, output, floatsOf(share, layer.outDim));
    hidden = new DenseFeatureStore(layer.outDim, [output], null, true);
  }
}

/** Applies a layer to the nodes [firstNode, firstNode + count). The caller disposes the result. */
type ChunkOf = (firstNode: number, count: number) => Promise<Tensor2D>;

function onRange(rowsOf: RowsOf): ChunkOf {
  return (firstNode, count) => rowsOf(Int32Array.from({ length: count }, (_, row) => firstNode + row));
}

/** Numbers of the widest row that some layer sums, as they come: what is projected first is narrower. */
function widestSum({ model, features }: LayerwiseParts): number {
  return Math.max(features.dim, ...model.layers.slice(0, -1).map(({ outDim }) => outDim));
}

interface OrderedLayer {
  readonly parts: ChunkOptions;
  readonly share: NodeRange;
  /** The nodes of the share */
  readonly order: Int32Array;
  readonly rowsOf: RowsOf;
  readonly output: Float32Array;
  readonly dim: number;
  readonly onProgress: (completed: number) => void;
}

/** A layer's rows, chunk by chunk of the order, each at its node's place. */
async function inOrder({ parts, share, order, rowsOf, output, dim, onProgress }: OrderedLayer): Promise<void> {
  await forEachChunk(parts, { first: 0, count: share.count }, async (begin, count) => {
    const nodes = order.subarray(begin, begin + count);
    const result = await rowsOf(nodes);
    nativeSync(() => loadAddon().putRows(tensorFloats(result), dim, nodes, output));
    onProgress(begin + count);
    result.dispose();
  });
}

type BlockAt = (firstNode: number, count: number) => Promise<Block>;

interface ChunkParts extends Pick<LayerwiseParts, "model" | "graph" | "firstLayer"> {
  readonly index: number;
  readonly layer: Layer;
  readonly input: FeatureStore;
  readonly blockAt: BlockAt;
}

function onBlocks(chunk: ChunkParts, projected: ProjectedLayer | null): ChunkOf {
  return projected
    ? (first, count) => sumProjected(chunk, projected, first, count)
    : (...nodes) => apply(chunk, ...nodes);
}

/** The layer as it is, on a chunk. The caller disposes the result. */
async function apply(chunk: ChunkParts, firstNode: number, count: number): Promise<Tensor2D> {
  const { index, layer, input, firstLayer, blockAt } = chunk;
  const known = await firstLayer?.(firstNode, count);
  if (known) return tidy(() => layer.forward(known.block, layerInput(index, known.features), noDropout));
  const inPlace = readsInPlace(chunk, input) ? await edgesOf(chunk, firstNode, count) : null;
  if (inPlace && aggregatesFirst(inPlace, input.dim, layer.outDim)) {
    const rows = await input.gatherAsync(inPlace.srcIds);
    return tidy(() => layer.forward(inPlace, rows, noDropout));
  }
  const block = await blockAt(firstNode, count);
  const rows = await input.gatherAsync(block.srcIds);
  return tidy(() => layer.forward(block, layerInput(index, rows), noDropout));
}

/** The layer on a chunk, where the rows that it sums are projected. The caller disposes the result. */
async function sumProjected(
  chunk: ChunkParts,
  { projection, rows }: ProjectedLayer,
  firstNode: number,
  count: number,
): Promise<Tensor2D> {
  const block = readsInPlace(chunk, rows)
    ? await edgesOf(chunk, firstNode, count)
    : await chunk.blockAt(firstNode, count);
  const own = await chunk.input.gatherAsync(block.srcIds.subarray(0, count));
  const neighbors = (await rows.gatherAsync(block.srcIds)) as DenseRows;
  return tidy(() => projection.sum(block, own, neighbors));
}

/** Can the layer sum these rows where they lie? */
function readsInPlace({ model, layer }: ChunkParts, rows: FeatureStore): boolean {
  const isNative = model.usesNeighbors && getBackend() === "native";
  return isNative && layer.readsRowsByEdge === true && rows instanceof DenseFeatureStore && rows.isReadInPlace;
}

async function edgesOf({ model, graph }: ChunkParts, firstNode: number, count: number): Promise<Block> {
  const block = await edgeBlock(graph, firstNode, count);
  return model.usesDegrees ? attachDegrees(graph, block) : block;
}

/** Remembers the last block: a rank whose nodes fit into one chunk makes it once for all layers. */
function lastOne(make: BlockAt): BlockAt {
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
