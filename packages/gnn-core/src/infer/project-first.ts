import { tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import { floatsOf } from "../dist/rank-share.ts";
import { shareRows } from "../dist/share-rows.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { NodeRange } from "../graph/csc-graph.ts";
import type { Layer, NeighborProjection } from "../nn/model.ts";
import { forEachChunk } from "./for-each-chunk.ts";
import type { LayerwiseParts } from "./layerwise-inference.ts";

/** A layer whose neighbours' rows are projected already */
export interface ProjectedLayer {
  readonly projection: NeighborProjection;
  /** Projected rows of every node */
  readonly rows: DenseFeatureStore;
}

/**
 * Projects each node's row once, if that leaves less to sum: mean{ x_u }·W = mean{ x_u·W }, and the sums read narrower
 * rows. Layers that cannot sum by edge would project a row again for each chunk that reads it. Ends with a barrier.
 *
 * @returns null when the layer does better to sum first, or can do nothing else
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function projectFirst(
  parts: LayerwiseParts,
  layer: Layer,
  input: FeatureStore,
  share: NodeRange,
): Promise<ProjectedLayer | null> {
  const { model, rank, signal, projectedOf } = parts;
  const { projection } = layer;
  if (!projection || !projectedOf || !model.usesNeighbors) return null;
  if (layer.readsRowsByEdge && projection.dim >= input.dim) return null;
  const { dim } = projection;
  const memory = projectedOf(dim);
  await forEachChunk(parts, share, async (firstNode, count) => {
    const own = await input.gatherAsync(Int32Array.from({ length: count }, (_, row) => firstNode + row));
    const result = tidy(() => projection.project(own));
    memory.set(result.dataSync<"float32">(), firstNode * dim);
    result.dispose();
  });
  await agreeToContinue(rank.collective, signal);
  await shareRows(rank, memory, floatsOf(share, dim));
  return { projection, rows: new DenseFeatureStore(dim, [memory], null, true) };
}
