import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import type { ModelName } from "./benchmark-model.ts";

const mebibyte = 2 ** 20;

export interface MemoryFloor {
  /** The formula with this run's numbers, all MiB */
  readonly formula: string;
  readonly totalMiB: number;
}

/**
 * The memory that a training process cannot do without: the idle process, graph and features, the blocks of the batches
 * at hand, and the largest set of tensors that live at once. Forward keeps every layer's output and (SAGE, GCN) its
 * input summed over neighbours or (GAT) its input projected and, behind the first layer, dropped: SAGE and GCN drop in
 * place. Backward adds the gradient of a layer's output with that of its input or, where that is larger, of its
 * projected input and two numbers per edge (the attention that reached the output and the gradient of its score): the
 * largest sum.
 */
export function memoryFloor(parts: {
  readonly idleMiB: number;
  readonly graphBytes: number;
  readonly featureBytes: number;
  readonly model: ModelName;
  readonly blocks: readonly Block[];
  readonly dims: readonly (readonly [number, number])[];
  readonly dropout: number;
  readonly numParameters: number;
}): MemoryFloor {
  const { blocks, dims, model } = parts;
  const blockBytes = blocks.reduce((sum, block) => sum + bytesOf(block), 0);
  const kept = blocks.map(({ numSrc, numDst, indices }, layer) => {
    const [inDim, outDim] = dims[layer] as readonly [number, number];
    const saved = model === "gat" ? numSrc * (outDim + 1) + indices.length + 2 * numDst : numDst * inDim;
    const dropped = model === "gat" && layer > 0 && parts.dropout > 0 ? numSrc * inDim : 0;
    return 4 * (numDst * outDim + saved + dropped);
  });
  const gradients = blocks.map(({ numSrc, numDst, indices }, layer) => {
    const [inDim, outDim] = dims[layer] as readonly [number, number];
    const ofInput = layer > 0 ? numSrc * inDim : 0;
    const ofProjected = model === "gat" ? numSrc * outDim + 2 * (indices.length + numDst) : 0;
    return 4 * (numDst * outDim + Math.max(ofInput, ofProjected));
  });
  const tensors = kept.reduce((sum, bytes) => sum + bytes, 0) + Math.max(...gradients);
  // Weights, their gradient in the bucket, and Adam's two moments.
  const parameters = 4 * 4 * parts.numParameters;
  const terms = {
    idle: parts.idleMiB,
    graph: parts.graphBytes / mebibyte,
    features: parts.featureBytes / mebibyte,
    blocks: blockBytes / mebibyte,
    tensors: (tensors + parameters) / mebibyte,
  };
  const totalMiB = Object.values(terms).reduce((sum, value) => sum + value, 0);
  const formula = Object.entries(terms)
    .map(([name, value]) => `${name} ${value.toFixed(0)}`)
    .join(" + ");
  return { formula: `${formula} = ${totalMiB.toFixed(0)}`, totalMiB };
}

function bytesOf({ numSrc, numDst, indices, weights, srcDegrees }: Block): number {
  const words = 2 * numSrc + numDst + 3 * indices.length + (weights?.length ?? 0) + (srcDegrees?.length ?? 0);
  return 4 * words;
}
