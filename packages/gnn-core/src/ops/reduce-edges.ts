import { numEdgesOf } from "../backends/block-edges.ts";
import type { Tensor2D } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { dstOfEdges } from "./block-attrs.ts";
import { spmmMax } from "./spmm-max.ts";
import { weightedSpmm } from "./weighted-spmm.ts";

export type Reduce = "sum" | "mean" | "max";

/**
 * Reduces the messages of each dst row's in-edges; 0 without in-edges.
 *
 * @param messages  float32 [numEdges, dim] in the order of `block.indices`
 * @returns         float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when there is not one message per edge
 */
export function reduceEdges(block: Block, messages: Tensor2D, reduce: Reduce): Tensor2D {
  if (messages.shape[0] !== numEdgesOf(block)) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `There are ${messages.shape[0]} messages; expected one per edge of the block, ${numEdgesOf(block)}.`,
    );
  }
  const edges = edgeBlock(block);
  if (reduce === "max") return spmmMax(edges, messages);
  return weightedSpmm(edges, messages, {
    edgeWeights: reduce === "mean" ? meanWeights(block) : null,
    selfWeights: null,
  });
}

const known = new WeakMap<Block, Block>();

/** The block whose src rows are this block's edges. */
function edgeBlock(block: Block): Block {
  const found = known.get(block);
  if (found) return found;
  const numEdges = numEdgesOf(block);
  const each = Int32Array.from({ length: numEdges }, (_, edge) => edge);
  const edges: Block = {
    device: "cpu",
    numSrc: numEdges,
    numDst: block.numDst,
    indptr: block.indptr,
    indices: each,
    srcIds: each,
    weights: null,
    reverse: {
      indptr: Int32Array.from({ length: numEdges + 1 }, (_, edge) => edge),
      indices: dstOfEdges(block),
      edges: each,
    },
  };
  known.set(block, edges);
  return edges;
}

/** 1 / in-degree of each edge's dst row in the block, or the weights that the sampler gives for means. */
export function meanWeights({ indptr, indices, numDst, importance }: Block): Float32Array {
  if (importance) return importance.mean;
  const weights = new Float32Array(indices.length);
  for (let v = 0; v < numDst; v++) {
    const begin = indptr[v] as number;
    const end = indptr[v + 1] as number;
    weights.fill(1 / (end - begin), begin, end);
  }
  return weights;
}
