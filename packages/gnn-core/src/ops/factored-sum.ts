import { numEdgesOf } from "../backends/block-edges.ts";
import { add, mul, slice, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { spmmMul } from "./edge-products.ts";
import type { SumWeights } from "./weighted-spmm.ts";

/**
 * `weightedSpmm` with each message multiplied by a factor that gets a gradient:
 *   out_v = Σ_{e: u → v} f_e·w_e·x_u + s_v·x_v
 * The row itself is no message and has no factor. No edge message is stored: d/df_e = w_e·⟨x_u, dy_v⟩ is an SDDMM.
 *
 * @param factors  float32 [numEdges, 1] in the order of `block.indices`
 * @param x        float32 [block.numSrc, dim]
 * @returns        float32 [block.numDst, dim], owned by the caller
 */
export function factoredSum(
  block: Block,
  factors: Tensor2D,
  x: Tensor2D,
  { edgeWeights, selfWeights }: SumWeights,
): Tensor2D {
  return tidy(() => {
    const numEdges = numEdgesOf(block);
    const weights = edgeWeights ? mul<Tensor2D>(factors, tensor2d(edgeWeights, [numEdges, 1])) : factors;
    const sums = spmmMul(block, x, weights);
    if (!selfWeights) return sums;
    const own = slice(x, [0, 0], [block.numDst, x.shape[1]]);
    return add<Tensor2D>(sums, mul<Tensor2D>(own, tensor2d(selfWeights, [block.numDst, 1])));
  });
}
