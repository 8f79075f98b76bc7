import { numEdgesOf } from "../backends/block-edges.ts";
import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { gather, matMul, mul, sum, type Tensor2D, tensor1d, tidy, unsortedSegmentSum, zeros } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { dstOfEdges } from "./block-attrs.ts";

export interface BlockAttrs {
  readonly block: Block;
}

// The two products are each other's gradients, so that both are closed under differentiation:
//   out_v = Σ_e w_e·x_u:  d/dw_e = ⟨x_u, dy_v⟩, d/dx_u = Σ_e w_e·dy_v        out_e = ⟨x_u, y_v⟩: the same, by symmetry

/** out_v = Σ_{e: u → v} w_e·x_u with learned w float32 [numEdges, 1], x float32 [numSrc, dim]; no message is stored. */
export function spmmMul(block: Block, x: Tensor2D, weights: Tensor2D): Tensor2D {
  if (hasKernel("SpmmMul")) {
    return runKernel("SpmmMul", { x, weights }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    // Segment sums do not take zero edges; 0·x keeps the result on the tape.
    if (numEdgesOf(block) === 0) return matMul(zeros([block.numDst, block.numSrc]), x);
    const messages = mul<Tensor2D>(gather(x, tensor1d(block.indices, "int32")), weights);
    return unsortedSegmentSum<Tensor2D>(messages, tensor1d(dstOfEdges(block), "int32"), block.numDst);
  });
}

/** out_e = ⟨x_u, y_v⟩ for e: u → v; x float32 [numSrc, dim], y float32 [numDst, dim]. @returns float32 [numEdges, 1] */
export function sddmmDot(block: Block, x: Tensor2D, y: Tensor2D): Tensor2D {
  if (hasKernel("SddmmDot")) {
    return runKernel("SddmmDot", { x, y }, { block } satisfies BlockAttrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const src = tensor1d(block.indices, "int32");
    const dst = tensor1d(dstOfEdges(block), "int32");
    return sum<Tensor2D>(mul(gather(x, src), gather(y, dst)), 1, true);
  });
}
