import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { type DropoutKey, dropout } from "../ops/dropout.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { gatConv } from "../ops/gat-conv.ts";
import { gatConvOf } from "../ops/gat-conv-of.ts";
import { project } from "../ops/project.ts";
import type { GatOptions, ParametricLayer } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * Graph attention layer.
 *   h_v = act(‖ₕ Σ_{u ∈ N(v) ∪ {v}} αʰ_uv·Wʰ·x_u + b), or the mean over heads instead of their concatenation ‖
 *   αʰ_uv = softmax_u(leakyReLU(⟨aʰ_src, Wʰ·x_u⟩ + ⟨aʰ_dst, Wʰ·x_v⟩)); dropout on x and on α while training
 * Veličković et al. 2018 (arXiv:1710.10903), equations 1-6; PyG GATConv, DGL GATConv with self-loops. Edge weights are
 * not read. With `projectionDropout` the Wʰ·x_u that are summed are dropped too, and those in the scores are not, as in
 * the authors' code (PetarV-/GAT, utils/layers.py).
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. No in-neighbour: W·x_v + b
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns
 */
export function gatConvLayer(options: GatOptions): ParametricLayer {
  const { index, inDim, outDim, seed, heads, merge, attentionDropout, projectionDropout = 0, negativeSlope } = options;
  const dim = merge === "concat" ? outDim / heads : outDim;
  const variables = [
    glorotUniform(`layers.${index}.weight`, inDim, heads * dim, seed),
    glorotUniform(`layers.${index}.attentionSrc`, heads, dim, seed),
    glorotUniform(`layers.${index}.attentionDst`, heads, dim, seed),
    zeros(`layers.${index}.bias`, outDim),
  ] as const;
  const [weight, attentionSrc, attentionDst, bias] = variables;
  const attention = { attentionSrc: attentionSrc.variable, attentionDst: attentionDst.variable };
  return {
    outDim,
    projection: {
      dim: heads * dim,
      project: (x) => project(x, weight.variable),
      sum: (block, _own, projected) =>
        tidy(() => {
          const z = featuresToTensor(projected);
          const out = gatConv(block, z, attention, { negativeSlope, merge, dropout: null });
          return biasActivate(out, bias.variable, options.activation);
        }),
    },
    variables,
    outputBias: bias,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        checkBlockRows("gatConv", block, "kind" in x ? x.numRows : x.shape[0]);
        const z = project(inputDropout(x, block.srcIds, options.dropout, index, context), weight.variable);
        const key = { seed: context.seed, layer: index, epoch: context.epoch, step: context.step };
        const attended = context.training && attentionDropout > 0 ? { rate: attentionDropout, key } : null;
        const settings = { negativeSlope, merge, dropout: attended };
        const values = context.training ? droppedProjection(z, block, projectionDropout, key) : null;
        const out = values
          ? gatConvOf(block, { z, values }, attention, settings)
          : gatConv(block, z, attention, settings);
        return biasActivate(out, bias.variable, options.activation);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}

// The masks of the layer's input have the layer as it is, those of attention 65536 more for each eight heads.
const pastAllHeads = 65536 * 4096;

/** W·x as it is summed while training; null: as it is scored. */
function droppedProjection(z: Tensor2D, { srcIds }: Block, rate: number, key: DropoutKey): Tensor2D | null {
  return rate > 0 ? dropout(z, srcIds, rate, { ...key, layer: key.layer + pastAllHeads }) : null;
}
