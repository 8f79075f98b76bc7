import { concat, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { linear } from "../ops/linear.ts";
import { inclusiveWeights } from "../ops/neighbor-weights.ts";
import { project } from "../ops/project.ts";
import { type SageWeights, sageConv, sageConvDropped } from "../ops/sage-conv.ts";
import { spmmMean } from "../ops/spmm.ts";
import { activate, splitActivation } from "./activate.ts";
import type { LayerOptions, ParametricLayer, SageOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { sagePoolLayer } from "./sage-pool.ts";
import { glorotUniform, zeros } from "./variables.ts";
import { weightedConv } from "./weighted-conv.ts";

/**
 * GraphSAGE layer, by its aggregator; dropout on x while training.   mean    h_v = act(W_self·x_v + W_neigh·mean{ x_u :
 * u ∈ N(v) } + b)   concat  h_v = act(W·[x_v ‖ mean{ x_u : u ∈ N(v) }] + b): the same function, W = [W_self ‖ W_neigh]
 * drawn as one matrix   gcn     h_v = act(W·(x_v + Σ_{u ∈ N(v)} w_uv·x_u)/(d_v + 1) + b), d the (weighted) in-degree in
 * the whole graph   pool    h_v = act(W_self·x_v + W_neigh·max{ relu(W_pool·x_u + b_pool) : u ∈ N(v) } + b) Hamilton et
 * al. 2017 (arXiv:1706.02216), Algorithm 1, lines 4-5, equations 2 and 3; DGL SAGEConv.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. No in-neighbour: mean and max are 0
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or for gcn the block no srcDegrees
 */
export function sageConvLayer(options: SageOptions): ParametricLayer {
  const { aggregator = "mean", inDim } = options;
  if (aggregator === "gcn") return weightedConv("sageConv", options, inclusiveWeights);
  if (aggregator === "pool") return sagePoolLayer(options);
  return meanLayer(options, aggregator === "concat" ? 2 * inDim : inDim);
}

/** @param fanIn rows of the matrix that a weight belongs to: it decides how large the weights start */
function meanLayer(options: LayerOptions, fanIn: number): ParametricLayer {
  const { index, inDim, outDim, seed } = options;
  const { fused, rest } = splitActivation(options.activation);
  const variables = [
    glorotUniform(`layers.${index}.weightSelf`, inDim, outDim, seed, fanIn),
    glorotUniform(`layers.${index}.weightNeigh`, inDim, outDim, seed, fanIn),
    zeros(`layers.${index}.bias`, outDim),
  ] as const;
  const weights: SageWeights = {
    weightSelf: variables[0].variable,
    weightNeigh: variables[1].variable,
    bias: variables[2].variable,
  };
  return {
    outDim,
    readsRowsByEdge: true,
    keepsSigns: fused === "relu" && rest === "none",
    dropsInPlace: true,
    applyToMeans: (rows) =>
      tidy(() => {
        const weight = concat([weights.weightSelf, weights.weightNeigh], 0);
        return activate(linear(rows, { weight, bias: weights.bias }, fused), rest);
      }),
    projection: {
      dim: outDim,
      project: (x) => project(x, weights.weightNeigh),
      sum: (block, own, projected) =>
        tidy(() => {
          const self = linear(own, { weight: weights.weightSelf, bias: weights.bias }, "none");
          return addActivate(self, spmmMean(block, projected), options.activation);
        }),
    },
    variables,
    outputBias: variables[2],
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const { dropout: rate } = options;
        if (context.training && rate > 0 && !("kind" in x)) {
          const key = { seed: context.seed, layer: index, epoch: context.epoch, step: context.step };
          const inPlace = context.mayDropInPlace ?? false;
          return activate(sageConvDropped(block, x, weights, fused, { rate, key, inPlace }), rest);
        }
        const input = inputDropout(x, block.srcIds, rate, index, context);
        return activate(sageConv(block, input, weights, fused), rest);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
