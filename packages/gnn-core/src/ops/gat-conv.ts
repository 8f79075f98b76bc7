import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "./block-attrs.ts";
import { composeGatConv } from "./compose-gat-conv.ts";
import { type DropoutKey, dropoutThreshold, dropoutWords } from "./dropout.ts";
import type { GatAttention, GatAttrs } from "./gat-attrs.ts";

export interface GatSettings {
  readonly negativeSlope: number;
  readonly merge: "concat" | "mean";
  /** Share of the attention coefficients dropped, and what decides which; null: none */
  readonly dropout: { readonly rate: number; readonly key: DropoutKey } | null;
}

/**
 * Graph attention over projected rows, fused: edges hold one score per head, never a message.
 *   s_uv = leakyReLU(⟨a_src, z_u⟩ + ⟨a_dst, z_v⟩);  α_uv = softmax of s over u ∈ N(v) ∪ {v};  out_v = Σ_u α_uv·z_u
 * Veličković et al. 2018 (arXiv:1710.10903), equations 1-6. Every row gets one self-loop, stored edges from a row to
 * itself give way to it (as in PyG's GATConv). Dropout of α depends on (key, id of v, id of u, head) alone.
 * A block's `messageFactors` multiply α after the softmax, and not that of the self-loop.
 *
 * @param z  float32 [block.numSrc, heads·dim], head h in columns [h·dim, (h + 1)·dim)
 * @returns  float32 [block.numDst, heads·dim], or [block.numDst, dim] for `mean`; owned by the caller
 * @throws GnnError SHAPE_MISMATCH when z has not numSrc rows or heads·dim columns
 */
export function gatConv(block: Block, z: Tensor2D, attention: GatAttention, settings: GatSettings): Tensor2D {
  checkBlockRows("gatConv", block, z.shape[0]);
  const [heads, dim] = attention.attentionSrc.shape;
  if (z.shape[1] !== heads * dim) {
    throw new GnnError("SHAPE_MISMATCH", `gatConv: z has ${z.shape[1]} columns; expected ${heads} heads × ${dim}.`);
  }
  const { rate, key } = settings.dropout ?? { rate: 0, key: { seed: 0, layer: 0, epoch: 0, step: 0 } };
  const attrs: GatAttrs = {
    block,
    heads,
    dim,
    slope: settings.negativeSlope,
    meanHeads: settings.merge === "mean",
    key: dropoutWords(key),
    threshold: dropoutThreshold(rate),
  };
  return tidy(() => {
    if (!hasKernel("GatConv") || block.messageFactors) return composeGatConv(z, attention, attrs);
    return runKernel("GatConv", { z, ...attention }, attrs)[0] as Tensor2D;
  });
}
