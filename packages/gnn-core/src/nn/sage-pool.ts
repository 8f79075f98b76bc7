import { tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { linear } from "../ops/linear.ts";
import { project } from "../ops/project.ts";
import { spmmMax } from "../ops/spmm-max.ts";
import { firstRows } from "./first-rows.ts";
import type { ParametricLayer, SageOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * GraphSAGE with max pooling; see sage-conv.ts.
 *   h_v = act(W_self·x_v + W_neigh·max{ relu(W_pool·x_u + b_pool) : u ∈ N(v) } + b)
 * Hamilton et al. 2017 (arXiv:1706.02216), equation 3. The pooled rows have `poolDim` columns.
 */
export function sagePoolLayer(options: SageOptions): ParametricLayer {
  const { index, inDim, outDim, seed, poolDim = outDim } = options;
  const variables = [
    glorotUniform(`layers.${index}.weightPool`, inDim, poolDim, seed),
    zeros(`layers.${index}.biasPool`, poolDim),
    glorotUniform(`layers.${index}.weightSelf`, inDim, outDim, seed),
    glorotUniform(`layers.${index}.weightNeigh`, poolDim, outDim, seed),
    zeros(`layers.${index}.bias`, outDim),
  ] as const;
  const [weightPool, biasPool, weightSelf, weightNeigh, bias] = variables;
  const pool = { weight: weightPool.variable, bias: biasPool.variable };
  const self = { weight: weightSelf.variable, bias: bias.variable };
  return {
    outDim,
    variables,
    outputBias: bias,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        checkBlockRows("sageConv", block, "kind" in x ? x.numRows : x.shape[0]);
        const input = inputDropout(x, block.srcIds, options.dropout, index, context);
        const own = linear(firstRows("sageConv", input, block.numDst), self, "none");
        const pooled = spmmMax(block, linear(input, pool, "relu"));
        return addActivate(own, project(pooled, weightNeigh.variable), options.activation);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
