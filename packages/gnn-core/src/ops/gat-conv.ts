import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { getBackend, type Tensor, type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows, nativeBlock, reversibleBlock } from "./block-attrs.ts";
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
    if (getBackend() !== "native") return composeGatConv(z, attention, attrs);
    return runNativeKernel("GatConv", { z, ...attention }, attrs)[0] as Tensor2D;
  });
}

type GatInput = "z" | keyof GatAttention;

registerNativeKernel<GatInput, GatAttrs>("GatConv", ({ inputs, attrs, backend, addon }) => {
  const { block, heads, dim } = attrs;
  const out = backend.allocate([block.numDst, attrs.meanHeads ? dim : heads * dim]);
  // The rest is for the gradient only.
  const alpha = backend.allocateSaved((block.indices.length + block.numDst) * heads);
  const scoreSrc = backend.allocateSaved(block.numSrc * heads);
  const scoreDst = backend.allocateSaved(block.numDst * heads);
  addon.gatConv(
    nativeBlock(block),
    ...shapeOf(attrs),
    backend.floats(inputs.z),
    backend.floats(inputs.attentionSrc),
    backend.floats(inputs.attentionDst),
    scoreSrc.values,
    scoreDst.values,
    alpha.values,
    out.values,
  );
  return [out.info, alpha.info, scoreSrc.info, scoreDst.info];
});

type GatGradInput = GatInput | "dy" | "alpha" | "scoreSrc" | "scoreDst";

registerNativeKernel<GatGradInput, GatAttrs>("GatConvGrad", ({ inputs, attrs, backend, addon }) => {
  const { block, heads, dim } = attrs;
  const dz = backend.allocate([block.numSrc, heads * dim]);
  const dSrc = backend.allocate([heads, dim]);
  const dDst = backend.allocate([heads, dim]);
  addon.gatConvGrad(
    reversibleBlock(block),
    ...shapeOf(attrs),
    block.reverse.edges,
    backend.floats(inputs.z),
    backend.floats(inputs.attentionSrc),
    backend.floats(inputs.attentionDst),
    backend.floats(inputs.scoreSrc),
    backend.floats(inputs.scoreDst),
    backend.floats(inputs.alpha),
    backend.floats(inputs.dy),
    dz.values,
    dSrc.values,
    dDst.values,
  );
  return [dz.info, dSrc.info, dDst.info];
});

registerNativeGradient(
  "GatConv",
  { inputsToSave: ["z", "attentionSrc", "attentionDst"], outputsToSave: [false, true, true, true] },
  (dy, [z, attentionSrc, attentionDst, alpha, scoreSrc, scoreDst], attrs) => {
    const inputs = { dy, z, attentionSrc, attentionDst, alpha, scoreSrc, scoreDst } as Record<GatGradInput, Tensor>;
    const [dz, dSrc, dDst] = runNativeKernel("GatConvGrad", inputs, attrs) as [Tensor, Tensor, Tensor];
    return { z: dz, attentionSrc: dSrc, attentionDst: dDst };
  },
);

function shapeOf({ block, heads, dim, slope, meanHeads, key, threshold }: GatAttrs) {
  return [heads, dim, slope, meanHeads, block.srcIds, key, threshold] as const;
}
