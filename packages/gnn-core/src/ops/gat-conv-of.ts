import { type Rank, reshape, type Tensor2D, tidy, zeros } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { columnRange, joinColumns } from "./columns.ts";
import type { GatAttention } from "./gat-attrs.ts";
import { type GatSettings, gatConv } from "./gat-conv.ts";

/**
 * `gatConv` that scores the rows of z and sums the rows of `values`: out_v = Σ_u α_uv·values_u, α_uv from z as there.
 * The fused op sums the rows that it scores, so each head gets both side by side, and attention vectors that are 0 on
 * the second half: twice the columns are summed, and the half of z is left out of the result.
 *
 * @param z       float32 [block.numSrc, heads·dim], what the attention reads
 * @param values  float32 [block.numSrc, heads·dim], what is summed
 * @returns       float32 [numDst, heads·dim], or [numDst, dim] for `mean`; owned by the caller
 * @throws GnnError SHAPE_MISMATCH when z has not numSrc rows or heads·dim columns, or values another shape than z
 */
export function gatConvOf(
  block: Block,
  { z, values }: { readonly z: Tensor2D; readonly values: Tensor2D },
  { attentionSrc, attentionDst }: GatAttention,
  settings: GatSettings,
): Tensor2D {
  const [heads, dim] = attentionSrc.shape;
  if (z.shape[1] !== heads * dim || values.shape.join() !== z.shape.join()) {
    const found = `z is [${z.shape.join()}] and values [${values.shape.join()}]`;
    throw new GnnError("SHAPE_MISMATCH", `gatConvOf: ${found}; expected ${heads} heads × ${dim} columns of both.`);
  }
  return tidy(() => {
    const byHead = (x: Tensor2D) => reshape<Rank.R2>(x, [x.size / dim, dim]);
    const joined = reshape<Rank.R2>(joinColumns(byHead(z), byHead(values)), [z.shape[0], 2 * heads * dim]);
    const nothing = zeros<Rank.R2>([heads, dim]);
    const attention = {
      attentionSrc: joinColumns(attentionSrc, nothing),
      attentionDst: joinColumns(attentionDst, nothing),
    };
    const out = gatConv(block, joined, attention, settings);
    if (settings.merge === "mean") return columnRange(out, dim, 2 * dim);
    const perHead = reshape<Rank.R2>(out, [block.numDst * heads, 2 * dim]);
    return reshape<Rank.R2>(columnRange(perHead, dim, 2 * dim), [block.numDst, heads * dim]);
  });
}
