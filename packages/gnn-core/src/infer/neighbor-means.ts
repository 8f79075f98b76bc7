import { getBackend, type Tensor2D, tidy } from "../backends/tf.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { DenseRows, FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { selfBlock } from "../graph/self-block.ts";
import type { Layer } from "../nn/model.ts";
import type { ProjectedLayer } from "./project-first.ts";

/** Applies a layer to nodes by GlobalId, in any order. The caller disposes the result. */
export type RowsOf = (nodes: Int32Array) => Promise<Tensor2D>;

interface MeanParts {
  readonly graph: CscGraph;
  readonly layer: Layer;
  readonly input: FeatureStore;
  readonly projected: ProjectedLayer | null;
}

/**
 * A layer that reads means of neighbours alone, from means that are summed up straight from the graph: no edge is
 * copied, and the node's product and the neighbours' are one. Null where the layer is another or the rows do not lie
 * ready.
 */
export function onMeans({ graph, layer, input, projected }: MeanParts): RowsOf | null {
  const { applyToMeans } = layer;
  const rows = projected?.rows ?? input;
  if (!applyToMeans || getBackend() !== "native") return null;
  if (!(rows instanceof DenseFeatureStore && rows.isReadInPlace)) return null;
  let memory = new Float32Array(); // kept from chunk to chunk
  const means = async (nodes: Int32Array, besideOwn: boolean): Promise<DenseRows> => {
    const numRows = nodes.length;
    const dim = besideOwn ? 2 * rows.dim : rows.dim;
    if (memory.length < numRows * dim) memory = new Float32Array(numRows * dim);
    const values = memory.subarray(0, numRows * dim);
    await rows.neighborMeans(graph, nodes, besideOwn, values);
    return { kind: "dense", numRows, dim, values };
  };
  if (!projected) {
    return async (nodes) => {
      const both = await means(nodes, true);
      return tidy(() => applyToMeans(both));
    };
  }
  return async (nodes) => {
    const own = await input.gatherAsync(nodes);
    const sums = await means(nodes, false);
    return tidy(() => projected.projection.sum(selfBlock(nodes), own, sums));
  };
}
