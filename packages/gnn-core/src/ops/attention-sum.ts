import { add, mul, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { columnRange, joinAllColumns } from "./columns.ts";
import { spmmMul } from "./edge-products.ts";

/**
 * Rows of neighbours by the attention that each head pays them: out_v = ‖ₕ Σ_{e: u → v} α_eh·z_uh, or the mean over
 * heads. Head after head: an edge holds one number per head, never a message.
 *
 * @param z      float32 [block.numSrc, heads·dim], head h in columns [h·dim, (h + 1)·dim)
 * @param alpha  float32 [numEdges, heads], in the order of `block.indices`
 * @returns      float32 [block.numDst, heads·dim], or [block.numDst, dim] for `mean`; owned by the caller
 */
export function attentionSum(block: Block, z: Tensor2D, alpha: Tensor2D, merge: "concat" | "mean"): Tensor2D {
  const heads = alpha.shape[1];
  const dim = z.shape[1] / heads;
  if (heads === 1) return spmmMul(block, z, alpha);
  return tidy(() => {
    const sums = Array.from({ length: heads }, (_, h) =>
      spmmMul(block, columnRange(z, h * dim, (h + 1) * dim), columnRange(alpha, h, h + 1)),
    );
    if (merge === "concat") return joinAllColumns(sums);
    return mul<Tensor2D>(
      sums.reduce((sum, each) => add<Tensor2D>(sum, each)),
      1 / heads,
    );
  });
}
