import { numEdgesOf } from "../backends/block-edges.ts";
import { DeviceBlock } from "../backends/cuda/device-block.ts";
import { fillGcnNorm } from "../backends/host-kernels.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { BlockWeights, SumWeights } from "./weighted-spmm.ts";

/** One per block, however many layers, epochs or passes read it. */
const known = new WeakMap<Block, SumWeights>();

/**
 * Weights of the symmetrically normalised adjacency D̂^-1/2·(A + I)·D̂^-1/2, D̂ = D + I.
 *   edge u → v:  w_uv / √(d̂_u·d̂_v) · (d_v / Σ of the block's weights at v);   v itself:  1 / d̂_v
 * Kipf and Welling 2017 (arXiv:1609.02907), equation 2; d is the (weighted) in-degree in the whole graph, as PyG's
 * gcn_norm has it. The factor in parentheses is 1 where the block holds all in-edges of v, so whole neighbourhoods give
 * the exact product. Where edges were sampled it makes their sum an unbiased estimate of the exact one (for edges
 * without weights); DGL's norm="both" takes the degrees of the block instead, which is biased and depends on the
 * fanout. Blocks with importance weights have `importance.sum` of the edge as the factor instead.
 *
 * @throws GnnError SHAPE_MISMATCH when the block carries no degrees
 */
export function gcnNorm(block: Block): SumWeights {
  const found = known.get(block);
  if (found) return found;
  const { srcDegrees } = block;
  if (srcDegrees?.length !== block.numSrc) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `The block has ${srcDegrees?.length ?? "no"} degrees for its ${block.numSrc} src rows; make it with withDegrees(sampler, graph) or attachDegrees(graph, block).`,
    );
  }
  const edgeWeights = new Float32Array(numEdgesOf(block));
  const selfWeights = new Float32Array(block.numDst);
  fillGcnNorm(block, srcDegrees, edgeWeights, selfWeights);
  const norm = { edgeWeights, selfWeights };
  known.set(block, norm);
  return norm;
}

/** `gcnNorm` for a layer: where a device knows the degrees of a block it makes the weights, and has them. */
export function gcnWeights(block: Block): BlockWeights {
  return (block instanceof DeviceBlock && block.weighed("gcn")) || gcnNorm(block);
}
