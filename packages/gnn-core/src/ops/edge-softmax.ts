import { numEdgesOf } from "../backends/block-edges.ts";
import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { div, exp, gather, sub, type Tensor2D, tensor1d, tidy, unsortedSegmentSum } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { dstOfEdges } from "./block-attrs.ts";
import { reduceEdges } from "./reduce-edges.ts";

export interface BlockAttrs {
  readonly block: Block;
}

/**
 * Softmax of edge scores over the in-edges of each dst row, per head; finite for any finite scores.
 *
 * @param scores  float32 [numEdges, heads] in the order of `block.indices`
 * @returns       float32 [numEdges, heads], owned by the caller; sums to 1 over each row's in-edges
 */
export function edgeSoftmax(block: Block, scores: Tensor2D): Tensor2D {
  if (hasKernel("EdgeSoftmax")) {
    return runKernel("EdgeSoftmax", { scores }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    if (numEdgesOf(block) === 0) return scores.clone();
    const dst = tensor1d(dstOfEdges(block), "int32");
    // Any shift per row cancels out, so that of the maximum needs no gradient of its own.
    const powers = exp(sub<Tensor2D>(scores, gather(reduceEdges(block, scores, "max"), dst)));
    return div<Tensor2D>(powers, gather(unsortedSegmentSum(powers, dst, block.numDst), dst));
  });
}
