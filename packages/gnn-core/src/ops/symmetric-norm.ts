import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { SumWeights } from "./weighted-spmm.ts";

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
  const norm = { edgeWeights: weightsOf(block, degreesOf(block)), selfWeights: null };
  known.set(block, norm);
  return norm;
}

function weightsOf({ numDst, indptr, indices, weights, importance }: Block, degrees: Float32Array): Float32Array {
  const edgeWeights = new Float32Array(indices.length);
  const scales = new Float64Array(degrees.length);
  for (let row = 0; row < degrees.length; row++) scales[row] = 1 / Math.sqrt((degrees[row] as number) || 1);
  for (let dst = 0; dst < numDst; dst++) {
    const [begin, end] = [indptr[dst] as number, indptr[dst + 1] as number];
    let sum = 0;
    for (let e = begin; e < end; e++) sum += weights ? (weights[e] as number) : 1;
    const share = sum === 0 ? 0 : ((degrees[dst] as number) || 1) / sum;
    for (let e = begin; e < end; e++) {
      const factor = importance ? (importance.sum[e] as number) : share;
      const weight = weights ? (weights[e] as number) : 1;
      edgeWeights[e] = weight * (scales[indices[e] as number] as number) * (scales[dst] as number) * factor;
    }
  }
  return edgeWeights;
}

function degreesOf({ srcDegrees, numSrc }: Block): Float32Array {
  if (srcDegrees?.length === numSrc) return srcDegrees;
  throw new GnnError(
    "SHAPE_MISMATCH",
    `The block has ${srcDegrees?.length ?? "no"} degrees for its ${numSrc} src rows; make it with withDegrees(sampler, graph) or attachDegrees(graph, block).`,
  );
}
