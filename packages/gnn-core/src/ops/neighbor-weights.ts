import { numEdgesOf } from "../backends/block-edges.ts";
import { DeviceBlock } from "../backends/cuda/device-block.ts";
import { fillNeighborWeights } from "../backends/host-kernels.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { BlockWeights, SumWeights } from "./weighted-spmm.ts";

/** One per block, however many layers, epochs or passes read it. */
const sums = new WeakMap<Block, SumWeights>();
const means = new WeakMap<Block, SumWeights>();

/**
 * Weights with which a sum over the block's edges is Σ_{u ∈ N(v)} w_uv·x_u over all in-edges of v where the block holds
 * them all, and an unbiased estimate of it where edges were sampled: w_uv times the importance of the edge, or
 * (in-degree in the whole graph) / (Σ of the block's weights at v).
 *
 * @throws GnnError SHAPE_MISMATCH when the block carries no degrees
 */
export function neighborSum(block: Block): SumWeights {
  // All edges, each of weight 1.
  if (block instanceof DeviceBlock && block.hasDegrees) return { edgeWeights: null, selfWeights: null };
  return cached(sums, block, (edges) => {
    fill(block, edges, null);
    // Ones need not be read.
    return { edgeWeights: edges.every((weight) => weight === 1) ? null : edges, selfWeights: null };
  });
}

/**
 * The mean over v and its in-neighbours with the same correction: edge u → v w_uv / (d_v + 1), v itself 1 / (d_v + 1),
 * d the (weighted) in-degree in the whole graph.
 *
 * @throws GnnError SHAPE_MISMATCH when the block carries no degrees
 */
export function inclusiveMean(block: Block): SumWeights {
  return cached(means, block, (edgeWeights) => {
    const selfWeights = new Float32Array(block.numDst);
    fill(block, edgeWeights, selfWeights);
    return { edgeWeights, selfWeights };
  });
}

/** `inclusiveMean` for a layer: where a device knows the degrees of a block it makes the weights, and has them. */
export function inclusiveWeights(block: Block): BlockWeights {
  return (block instanceof DeviceBlock && block.weighed("inclusiveMean")) || inclusiveMean(block);
}

function cached(
  known: WeakMap<Block, SumWeights>,
  block: Block,
  make: (edges: Float32Array) => SumWeights,
): SumWeights {
  const weights = known.get(block) ?? make(new Float32Array(numEdgesOf(block)));
  known.set(block, weights);
  return weights;
}

function fill(block: Block, edges: Float32Array, selves: Float32Array | null): void {
  const { srcDegrees } = block;
  if (srcDegrees?.length !== block.numSrc) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `The block has ${srcDegrees?.length ?? "no"} degrees for its ${block.numSrc} src rows; make it with withDegrees(sampler, graph) or attachDegrees(graph, block).`,
    );
  }
  fillNeighborWeights(block, srcDegrees, edges, selves);
}
