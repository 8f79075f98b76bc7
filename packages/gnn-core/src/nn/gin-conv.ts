import { type Tensor1D, type Tensor2D, tensor1d, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { aggregatesFirst } from "../ops/aggregate-order.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { ginSum } from "../ops/gin-sum.ts";
import { linear } from "../ops/linear.ts";
import { neighborSum } from "../ops/neighbor-weights.ts";
import { project } from "../ops/project.ts";
import { activate, splitActivation } from "./activate.ts";
import { dense } from "./dense.ts";
import type { GinOptions, ParametricLayer } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { filled } from "./variables.ts";

/**
 * Graph isomorphism layer: the sum over the neighbourhood, which tells multisets of rows apart, through an MLP of two.
 * h_v = act(W₂·act₁(W₁·((1 + ε)·x_v + Σ_{u ∈ N(v)} w_uv·x_u) + b₁) + b₂), dropout on x while training Xu et al. 2019
 * (arXiv:1810.00826), equation 4.1; PyG GINConv. w is 1 without edge weights; on sampled blocks the sum is an unbiased
 * estimate (ops/neighbor-weights.ts). ε is a weight or fixed. W₁ is applied before the sum where that is narrower.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no srcDegrees
 */
export function ginConvLayer(options: GinOptions): ParametricLayer {
  const { index, inDim, outDim, seed, mlpDim, mlpActivation, learnEpsilon } = options;
  const inner = { name: `layers.${index}.mlp.0`, inDim, outDim: mlpDim, activation: mlpActivation };
  const outer = { name: `layers.${index}.mlp.1`, inDim: mlpDim, outDim, activation: options.activation };
  const [first, second] = [inner, outer].map((part) => dense({ ...part, seed, dropout: 0, index }));
  if (!first || !second) throw new RangeError("An MLP of two layers has two.");
  const learned = learnEpsilon ? filled(`layers.${index}.epsilon`, 1, options.epsilon) : null;
  const variables = [...first.variables, ...second.variables, ...(learned ? [learned] : [])];
  const { fused, rest } = splitActivation(mlpActivation);
  return {
    outDim,
    variables,
    outputBias: second.variables[1],
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        checkBlockRows("ginConv", block, "kind" in x ? x.numRows : x.shape[0]);
        const epsilon: Tensor1D = learned?.variable ?? tensor1d([options.epsilon]);
        const { edgeWeights } = neighborSum(block);
        const sum = (rows: Tensor2D) => ginSum(block, rows, epsilon, edgeWeights);
        const input = inputDropout(x, block.srcIds, options.dropout, index, context);
        const isNarrow = !("kind" in input && input.kind === "csr") && aggregatesFirst(block, inDim, mlpDim);
        const hidden = isNarrow
          ? activate(linear(sum("kind" in input ? featuresToTensor(input) : input), first.weights, fused), rest)
          : biasActivate(sum(project(input, first.weights.weight)), first.weights.bias, mlpActivation);
        return second.apply(hidden, block.srcIds.subarray(0, block.numDst), context);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
