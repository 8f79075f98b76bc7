import { tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { aggregatesFirst } from "../ops/aggregate-order.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { linear } from "../ops/linear.ts";
import { project } from "../ops/project.ts";
import { type BlockWeights, weightedSpmm } from "../ops/weighted-spmm.ts";
import { activate, splitActivation } from "./activate.ts";
import type { LayerOptions, ParametricLayer } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * A layer with one weight behind a fixed sum over the neighbourhood: h_v = act((Σ_u c_uv·x_u + c_v·x_v)·W + b). Sum and
 * product commute, so the narrower rows are summed. CSR rows are never densified.
 *
 * @param weightsOf  c of a block's edges and rows
 */
export function weightedConv(
  name: string,
  { index, inDim, outDim, seed, activation, dropout }: LayerOptions,
  weightsOf: (block: Block) => BlockWeights,
): ParametricLayer {
  const weight = glorotUniform(`layers.${index}.weight`, inDim, outDim, seed);
  const bias = zeros(`layers.${index}.bias`, outDim);
  const weights = { weight: weight.variable, bias: bias.variable };
  const { fused, rest } = splitActivation(activation);
  return {
    outDim,
    readsRowsByEdge: true,
    projection: {
      dim: outDim,
      project: (x) => project(x, weights.weight),
      sum: (block, _own, projected) =>
        tidy(() => biasActivate(weightedSpmm(block, projected, weightsOf(block)), weights.bias, activation)),
    },
    variables: [weight, bias],
    outputBias: bias,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        checkBlockRows(name, block, "kind" in x ? x.numRows : x.shape[0]);
        const sum = weightsOf(block);
        const input = inputDropout(x, block.srcIds, dropout, index, context);
        if (isDense(input) && aggregatesFirst(block, inDim, outDim)) {
          return activate(linear(weightedSpmm(block, input, sum), weights, fused), rest);
        }
        return biasActivate(weightedSpmm(block, project(input, weights.weight), sum), weights.bias, activation);
      }),
    dispose: () => {
      weight.variable.dispose();
      bias.variable.dispose();
    },
  };
}

function isDense(x: LayerInput): x is Exclude<LayerInput, { readonly kind: "csr" }> {
  return !("kind" in x) || x.kind === "dense";
}
