import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { columnRange, joinAllColumns } from "./columns.ts";
import { type BlockAttrs, sddmmDot, spmmMul } from "./edge-products.ts";

export interface HeadAttrs extends BlockAttrs {
  readonly heads: number;
}

// As spmmMul and sddmmDot, of which they are the heads side by side, the two are each other's gradient.

/**
 * out_vh = Σ_{e: u → v} w_eh·x_uh. An edge holds one number per head, never a message.
 *
 * @param x        float32 [block.numSrc, heads·dim], head h in columns [h·dim, (h + 1)·dim)
 * @param weights  float32 [numEdges, heads], in the order of `block.indices`
 * @returns        float32 [block.numDst, heads·dim], owned by the caller
 */
export function headSum(block: Block, x: Tensor2D, weights: Tensor2D): Tensor2D {
  const heads = weights.shape[1];
  if (heads === 1) return spmmMul(block, x, weights);
  if (hasKernel("HeadSum")) {
    return runKernel("HeadSum", { x, weights }, { block, heads } satisfies HeadAttrs)[0] as Tensor2D;
  }
  return byHead(heads, (h) => spmmMul(block, headOf(x, heads, h), headOf(weights, heads, h)));
}

/**
 * out_eh = ⟨x_uh, y_vh⟩ for e: u → v, with heads as of `headSum`.
 *
 * @param x  float32 [block.numSrc, heads·dim]
 * @param y  float32 [block.numDst, heads·dim]
 * @returns  float32 [numEdges, heads], owned by the caller
 */
export function headDot(block: Block, x: Tensor2D, y: Tensor2D, heads: number): Tensor2D {
  if (heads === 1) return sddmmDot(block, x, y);
  if (hasKernel("HeadDot")) {
    return runKernel("HeadDot", { x, y }, { block, heads } satisfies HeadAttrs)[0] as Tensor2D;
  }
  return byHead(heads, (h) => sddmmDot(block, headOf(x, heads, h), headOf(y, heads, h)));
}

function byHead(heads: number, make: (head: number) => Tensor2D): Tensor2D {
  return tidy(() => joinAllColumns(Array.from({ length: heads }, (_, h) => make(h))));
}

/** The columns of one head */
export function headOf(x: Tensor2D, heads: number, head: number): Tensor2D {
  const dim = x.shape[1] / heads;
  return heads === 1 ? x : columnRange(x, head * dim, (head + 1) * dim);
}
