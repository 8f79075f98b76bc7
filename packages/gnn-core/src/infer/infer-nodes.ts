import { agreeToContinue } from "../dist/agreement.ts";
import type { RemoteGraph } from "../graph/csc-graph.ts";
import type { GnnModel } from "../nn/model.ts";
import { type LayerwiseParts, layerwiseInference } from "./layerwise-inference.ts";
import { partitionedInference } from "./partitioned-inference.ts";

export interface InferredRows {
  /** float32 [numNodes, dim]: output of the layer before the last ("lastHidden") */
  readonly embeddings: Float32Array;
  /** float32 [numNodes, numClasses] */
  readonly logits: Float32Array;
}

/** Position and width of the embedding: the layer before the last; a model of one layer has only its logits. */
export function embeddingLayer(model: GnnModel): { index: number; dim: number } {
  const index = Math.max(0, model.layers.length - 2);
  return { index, dim: model.layers[index]?.outDim ?? 0 };
}

/**
 * Embedding and logits of every node, in GlobalId order, into memory (perhaps files) that `allocate` provides.
 *
 * Where ranks hold parts of the graph, rank 0 collects all rows, and the other ranks return none.
 *
 * @param allocate float32 [numNodes · dim] by name: `embeddings`, `logits`, or for rows in between
 *                 `hidden-<layer>` and `projected-<dim>`
 */
export async function inferNodes(
  parts: Omit<LayerwiseParts, "outputOf" | "projectedOf" | "onChunk">,
  allocate: (name: string, dim: number) => Float32Array,
): Promise<InferredRows> {
  if (parts.graph.remote) return inferPartitioned(parts, parts.graph.remote, allocate);
  const last = parts.model.layers.length - 1;
  const embedding = embeddingLayer(parts.model);
  const outputs = parts.model.layers.map((layer, index) => {
    if (index === last) return allocate("logits", layer.outDim);
    return allocate(index === embedding.index ? "embeddings" : `hidden-${index}`, layer.outDim);
  });
  const projected = new Map<number, Float32Array>();
  await layerwiseInference({
    ...parts,
    outputOf: (layer) => outputs[layer] ?? null,
    projectedOf: (dim) => {
      const rows = projected.get(dim) ?? allocate(`projected-${dim}`, dim);
      projected.set(dim, rows);
      return rows;
    },
  });
  const logits = outputs[last] as Float32Array;
  if (embedding.index !== last) return { embeddings: outputs[embedding.index] as Float32Array, logits };
  const embeddings = allocate("embeddings", embedding.dim);
  embeddings.set(logits); // every rank writes the same rows
  return { embeddings, logits };
}

async function inferPartitioned(
  parts: Omit<LayerwiseParts, "outputOf" | "projectedOf" | "onChunk">,
  remote: RemoteGraph,
  allocate: (name: string, dim: number) => Float32Array,
): Promise<InferredRows> {
  const { model, rank, signal } = parts;
  const layers = await partitionedInference(parts, remote, true);
  const embedding = embeddingLayer(model);
  const collect = async (name: string, layer: number, dim: number) => {
    if (rank.rank !== 0) return new Float32Array(0);
    const rows = allocate(name, dim);
    await layers[layer]?.readAll(rows);
    return rows;
  };
  const logits = await collect("logits", layers.length - 1, model.layers.at(-1)?.outDim ?? 0);
  const embeddings = await collect("embeddings", embedding.index, embedding.dim);
  // No rank goes away, or computes anew, while rank 0 reads.
  await agreeToContinue(rank.collective, signal);
  return { embeddings, logits };
}
