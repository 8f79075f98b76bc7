import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import { type Fetched, requestedAhead } from "../dist-store/requested-ahead.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { PartitionedRows, RemoteGraph } from "../graph/csc-graph.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { fullBlock } from "../sampling/full-block.ts";
import { attachDegrees } from "../sampling/with-degrees.ts";
import type { LayerwiseParts } from "./layerwise-inference.ts";

/** Consecutive nodes with all their in-edges. */
interface Chunk {
  readonly firstNode: number;
  readonly count: number;
  readonly block: Block;
}

/**
 * Layer-wise inference where each rank holds part of the graph: it computes its own nodes, and reads the rows of their
 * in-neighbours in other parts from the ranks that computed them in the layer before (halo exchange). A barrier ends
 * each layer. The rows of a chunk are asked for before the one before it is computed.
 *
 * @param keeps layers whose rows are wanted afterwards, the last one if at all
 * @returns the rows of each layer; null of a last layer that is not kept
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted; RANK_LOST, RANK_TIMEOUT
 */
export async function partitionedInference(
  parts: Omit<LayerwiseParts, "outputOf" | "projectedOf">,
  remote: RemoteGraph,
  keepsLast: boolean,
): Promise<(PartitionedRows | null)[]> {
  const { model, rank, signal } = parts;
  const outputs: (PartitionedRows | null)[] = [];
  let input: FeatureStore = parts.features;
  for (const [index, layer] of model.layers.entries()) {
    const isKept = index < model.layers.length - 1 || keepsLast;
    const output = isKept ? await remote.rows(`layer-${index}`, layer.outDim) : null;
    for await (const { batch, rows } of chunksAhead(parts, remote, input)) {
      const { firstNode, count, block } = batch;
      const result: Tensor2D = tidy(() =>
        layer.forward(
          block,
          index === 0 || rows.kind === "csr" ? rows : tensor2d(rows.values, [rows.numRows, rows.dim]),
          noDropout,
        ),
      );
      const values = result.dataSync<"float32">();
      output?.local.set(values, (firstNode - remote.own.first) * layer.outDim);
      parts.onChunk?.({ layer: index, firstNode, rows: values });
      const done = index * remote.own.count + firstNode + count - remote.own.first;
      parts.onProgress?.(done, remote.own.count * model.layers.length);
      result.dispose();
    }
    await agreeToContinue(rank.collective, signal);
    if (output) input = output.features;
    outputs.push(output);
  }
  return outputs;
}

/**
 * The rows of the last layer of all nodes, on every host: one of its ranks asks the owners.
 *
 * @param rows float32 [numNodes, dim], the same memory for every rank of the host
 * @throws GnnError those of `partitionedInference`
 */
export async function lastRowsOnEachHost(
  parts: Omit<LayerwiseParts, "outputOf" | "projectedOf">,
  remote: RemoteGraph,
  rows: Float32Array,
): Promise<void> {
  const layers = await partitionedInference(parts, remote, true);
  const { rank, signal } = parts;
  if (rank.localRank === 0) await layers.at(-1)?.readAll(rows);
  await agreeToContinue(rank.collective, signal);
}

/** The rank's nodes chunk by chunk; ends early when it was told to stop, and its caller tells the others. */
function chunksAhead(
  parts: Pick<LayerwiseParts, "model" | "graph" | "chunkSize" | "signal">,
  { own }: RemoteGraph,
  input: FeatureStore,
): AsyncGenerator<Fetched<Chunk, FeatureRows>> {
  const { chunkSize = 4096, signal } = parts;
  return requestedAhead(
    Math.ceil(own.count / chunkSize),
    (i) => {
      const done = i * chunkSize;
      return signal.aborted ? null : makeChunk(parts, own.first + done, Math.min(chunkSize, own.count - done));
    },
    ({ block }) => input.gatherAsync(block.srcIds),
  );
}

async function makeChunk(
  { model, graph }: Pick<LayerwiseParts, "model" | "graph">,
  firstNode: number,
  count: number,
): Promise<Chunk> {
  const bare = model.usesNeighbors
    ? await fullBlock(graph, firstNode, count)
    : edgelessBlock(Int32Array.from({ length: count }, (_, i) => firstNode + i));
  const block = model.usesNeighbors && model.usesDegrees ? await attachDegrees(graph, bare) : bare;
  return { firstNode, count, block };
}
