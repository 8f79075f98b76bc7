import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, mul, slice, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "./block-attrs.ts";
import { composeWeightedSpmm } from "./weighted-spmm.ts";

export interface GinAttrs {
  readonly block: Block;
  readonly edgeWeights: Float32Array | null;
}

/**
 * The sum that GIN's MLP reads: out_v = Σ_{e: u → v} w_e·x_u + (1 + ε)·x_v. No edge message is stored.
 * Xu et al. 2019 (arXiv:1810.00826), equation 4.1.
 *
 * @param x            float32 [block.numSrc, dim]
 * @param epsilon      float32 [1]
 * @param edgeWeights  float32 [numEdges] in the order of `block.indices`; null: 1
 * @returns            float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when x.shape[0] !== block.numSrc, or weights of another length
 */
export function ginSum(block: Block, x: Tensor2D, epsilon: Tensor1D, edgeWeights: Float32Array | null): Tensor2D {
  checkBlockRows("ginSum", block, x.shape[0]);
  if (!hasKernel("GinSum") || block.messageFactors) return tidy(() => composeGinSum(block, x, epsilon, edgeWeights));
  const attrs: GinAttrs = { block, edgeWeights };
  return runKernel("GinSum", { x, epsilon }, attrs)[0] as Tensor2D;
}

/** Composes the op from stock ones. */
export function composeGinSum(
  block: Block,
  x: Tensor2D,
  epsilon: Tensor1D,
  edgeWeights: Float32Array | null,
): Tensor2D {
  const own = slice(x, [0, 0], [block.numDst, x.shape[1]]);
  const sum = composeWeightedSpmm(block, x, { edgeWeights, selfWeights: null });
  return add(sum, add(own, mul(own, epsilon)));
}
