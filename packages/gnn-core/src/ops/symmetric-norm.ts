import { numEdgesOf } from "../backends/block-edges.ts";
import { DeviceBlock } from "../backends/cuda/device-block.ts";
import { fillSymmetricNorm } from "../backends/host-kernels.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { BlockWeights, SumWeights } from "./weighted-spmm.ts";

/** One per block, however many layers, epochs or passes read it. */
const known = new WeakMap<Block, SumWeights>();

/**
 * Weights of the symmetrically normalised adjacency without self-loops, D^-1/2·A·D^-1/2:
 *   edge u → v:  w_uv / √(d_u·d_v) · (d_v / Σ of the block's weights at v)
 * He et al. 2020, LightGCN (arXiv:2002.02126), equation 3; d is the (weighted) in-degree in the whole graph. The factor
 * in parentheses is 1 where the block holds all in-edges of v, and makes the sum over drawn edges an unbiased estimate
 * of the whole one, as `gcnNorm` does. A source without in-edges counts as one of degree 1. Blocks with importance
 * weights have `importance.sum` of the edge as the factor instead.
 *
 * @throws GnnError SHAPE_MISMATCH when the block carries no degrees
 */
export function symmetricNorm(block: Block): SumWeights {
  const found = known.get(block);
  if (found) return found;
  const degrees = degreesOf(block);
  const edgeWeights = new Float32Array(numEdgesOf(block));
  fillSymmetricNorm(block, degrees, edgeWeights);
  const norm = { edgeWeights, selfWeights: null };
  known.set(block, norm);
  return norm;
}

function degreesOf({ srcDegrees, numSrc }: Block): Float32Array {
  if (srcDegrees?.length === numSrc) return srcDegrees;
  throw new GnnError(
    "SHAPE_MISMATCH",
    `The block has ${srcDegrees?.length ?? "no"} degrees for its ${numSrc} src rows; make it with withDegrees(sampler, graph) or attachDegrees(graph, block).`,
  );
}

/** `symmetricNorm` for a layer: where a device knows the degrees of a block it makes the weights, and has them. */
export function symmetricWeights(block: Block): BlockWeights {
  return (block instanceof DeviceBlock && block.weighed("symmetric")) || symmetricNorm(block);
}
