import { add, mul, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { headOf, headSum } from "./head-products.ts";

/**
 * Rows of neighbours by the attention that each head pays them: out_v = ‖ₕ Σ_{e: u → v} α_eh·z_uh, or the mean over
 * heads. An edge holds one number per head, never a message. A block's `messageFactors` multiply α.
 *
 * @param z      float32 [block.numSrc, heads·dim], head h in columns [h·dim, (h + 1)·dim)
 * @param alpha  float32 [numEdges, heads], in the order of `block.indices`
 * @returns      float32 [block.numDst, heads·dim], or [block.numDst, dim] for `mean`; owned by the caller
 */
export function attentionSum(block: Block, z: Tensor2D, alpha: Tensor2D, merge: "concat" | "mean"): Tensor2D {
  const { messageFactors, ...plain } = block;
  if (messageFactors) {
    return tidy(() => attentionSum(plain, z, mul<Tensor2D>(alpha, messageFactors), merge));
  }
  const heads = alpha.shape[1];
  if (heads === 1 || merge === "concat") return headSum(block, z, alpha);
  return tidy(() => {
    const sums = headSum(block, z, alpha);
    const each = Array.from({ length: heads }, (_, h) => headOf(sums, heads, h));
    return mul<Tensor2D>(
      each.reduce((sum, one) => add<Tensor2D>(sum, one)),
      1 / heads,
    );
  });
}
