import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { mapNpy } from "../graph/npy-map.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { RowsBesideFeatures } from "./rows-beside-features.ts";
import type { Trainer } from "./trainer.ts";

const file = "node_embedding.npy";

/** Learned rows of all nodes as part of a `model` artifact, float32 [numNodes, dim] in GlobalId order; null: none. */
export async function writeNodeEmbedding(outDir: string, { nodeEmbedding }: Trainer): Promise<WrittenArray | null> {
  if (!nodeEmbedding) return null;
  const { dim, rows } = nodeEmbedding;
  const shape = [rows.length / dim, dim];
  await writeNpy(join(outDir, file), "float32", shape, rows);
  return { name: file, dtype: "float32", shape };
}

/**
 * What a model with learned rows reads: [features ‖ rows].
 *
 * @throws GnnError SHAPE_MISMATCH when the rows are those of another graph
 */
export function withNodeEmbedding(modelDir: string, features: FeatureStore): FeatureStore {
  const { shape, values } = mapNpy(join(modelDir, file), "float32");
  const [numNodes = 0, dim = 0] = shape;
  if (numNodes !== features.numRows) {
    const found = `The model has learned rows of ${numNodes} nodes and the graph has ${features.numRows}`;
    throw new GnnError("SHAPE_MISMATCH", `${found}; a model with learned rows knows only the graph it was trained on.`);
  }
  const rows = new DenseFeatureStore(dim, [values]);
  return features.dim === 0 ? rows : new RowsBesideFeatures(features, rows);
}
