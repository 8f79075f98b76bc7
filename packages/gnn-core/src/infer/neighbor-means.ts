import { getBackend, type Tensor2D, tidy } from "../backends/tf.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { DenseRows, FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { selfBlock } from "../graph/self-block.ts";
import type { Layer } from "../nn/model.ts";
import type { ProjectedLayer } from "./project-first.ts";

/** Applies a layer to the nodes [firstNode, firstNode + count). The caller disposes the result. */
export type ChunkOf = (firstNode: number, count: number) => Promise<Tensor2D>;

interface MeanParts {
  readonly graph: CscGraph;
  readonly layer: Layer;
  readonly input: FeatureStore;
  readonly projected: ProjectedLayer | null;
}

/**
 * A layer that reads means of neighbours alone, from means that are summed up straight from the graph: no edge is copied,
 * and the node's product and the neighbours' are one. Null where the layer is another or the rows do not lie ready.
 */
export function onMeans({ graph, layer, input, projected }: MeanParts): ChunkOf | null {
  const { applyToMeans } = layer;
  const rows = projected?.rows ?? input;
  if (!applyToMeans || getBackend() !== "native") return null;
  if (!(rows instanceof DenseFeatureStore && rows.isReadInPlace)) return null;
  let memory = new Float32Array(); // kept from chunk to chunk
  const means = async (firstNode: number, numNodes: number, besideOwn: boolean): Promise<DenseRows> => {
    const dim = besideOwn ? 2 * rows.dim : rows.dim;
    if (memory.length < numNodes * dim) memory = new Float32Array(numNodes * dim);
    const values = memory.subarray(0, numNodes * dim);
    await rows.neighborMeans(graph, { firstNode, numNodes, besideOwn }, values);
    return { kind: "dense", numRows: numNodes, dim, values };
  };
  if (!projected) {
    return async (firstNode, count) => {
      const both = await means(firstNode, count, true);
      return tidy(() => applyToMeans(both));
    };
  }
  return async (firstNode, count) => {
    const ids = Int32Array.from({ length: count }, (_, row) => firstNode + row);
    const own = await input.gatherAsync(ids);
    const sums = await means(firstNode, count, false);
    return tidy(() => projected.projection.sum(selfBlock(ids), own, sums));
  };
}
