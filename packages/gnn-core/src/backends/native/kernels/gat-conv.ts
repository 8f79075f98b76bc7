import type { GatAttention, GatAttrs } from "../../../ops/gat-attrs.ts";
import { numEdgesOf } from "../../block-edges.ts";
import type { ArrayTypes, KernelMemory } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

type GatInput = "z" | keyof GatAttention;

registerSharedKernel<GatInput, GatAttrs>("GatConv", ({ inputs, attrs, backend, addon }) => {
  const { block, heads, dim } = attrs;
  const out = backend.allocate([block.numDst, attrs.meanHeads ? dim : heads * dim]);
  // The rest is for the gradient only.
  const alpha = backend.allocateSaved((numEdgesOf(block) + block.numDst) * heads);
  const scoreSrc = backend.allocateSaved(block.numSrc * heads);
  const scoreDst = backend.allocateSaved(block.numDst * heads);
  addon.gatConv(
    backend.block(block),
    ...shapeOf(backend, attrs),
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

registerSharedKernel<GatGradInput, GatAttrs>("GatConvGrad", ({ inputs, attrs, backend, addon }) => {
  const { block, heads, dim } = attrs;
  const dz = backend.allocate([block.numSrc, heads * dim]);
  const dSrc = backend.allocate([heads, dim]);
  const dDst = backend.allocate([heads, dim]);
  addon.gatConvGrad(
    backend.reversibleBlock(block),
    ...shapeOf(backend, attrs),
    backend.reverseEdges(block),
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
    const [dz, dSrc, dDst] = runKernel("GatConvGrad", inputs, attrs) as [Tensor, Tensor, Tensor];
    return { z: dz, attentionSrc: dSrc, attentionDst: dDst };
  },
);

function shapeOf<M extends ArrayTypes>(backend: KernelMemory<M>, attrs: GatAttrs) {
  const { block, heads, dim, slope, meanHeads, key, threshold } = attrs;
  return [heads, dim, slope, meanHeads, backend.constantInts(block.srcIds), key, threshold] as const;
}
