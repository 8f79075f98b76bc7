import { tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { type SageWeights, sageConv } from "../ops/sage-conv.ts";
import { activate, splitActivation } from "./activate.ts";
import type { LayerOptions, ParametricLayer } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * GraphSAGE layer with mean aggregation.
 *   h_v = act(W_self·x_v + W_neigh·mean{ x_u : u ∈ N(v) } + b), dropout on x while training
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, lines 4-5; DGL SAGEConv("mean"), PyG SAGEConv.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. No in-neighbour: mean is 0
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns
 */
export function sageConvLayer(options: LayerOptions): ParametricLayer {
  const { index, inDim, outDim, seed } = options;
  const { fused, rest } = splitActivation(options.activation);
  const variables = [
    glorotUniform(`layers.${index}.weightSelf`, inDim, outDim, seed),
    glorotUniform(`layers.${index}.weightNeigh`, inDim, outDim, seed),
    zeros(`layers.${index}.bias`, outDim),
  ] as const;
  const weights: SageWeights = {
    weightSelf: variables[0].variable,
    weightNeigh: variables[1].variable,
    bias: variables[2].variable,
  };
  return {
    outDim,
    variables,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const input = inputDropout(x, block.srcIds, options.dropout, index, context);
        return activate(sageConv(block, input, weights, fused), rest);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
