import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { aggregatesFirst } from "../ops/aggregate-order.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { gcnNorm } from "../ops/gcn-norm.ts";
import { linear } from "../ops/linear.ts";
import { project } from "../ops/project.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import { activate, splitActivation } from "./activate.ts";
import type { LayerOptions, ParametricLayer } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * Graph convolution.
 *   h_v = act(Σ_{u ∈ N(v)} w_uv/√(d̂_u·d̂_v)·W·x_u + 1/d̂_v·W·x_v + b), d̂ = 1 + (weighted) in-degree in the whole graph
 * Kipf and Welling 2017 (arXiv:1609.02907), equation 2; PyG GCNConv. Sampled blocks: see ops/gcn-norm.ts.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. No in-neighbour: W·x_v + b
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no srcDegrees
 */
export function gcnConvLayer(options: LayerOptions): ParametricLayer {
  const { index, inDim, outDim, seed, activation } = options;
  const weight = glorotUniform(`layers.${index}.weight`, inDim, outDim, seed);
  const bias = zeros(`layers.${index}.bias`, outDim);
  const weights = { weight: weight.variable, bias: bias.variable };
  const { fused, rest } = splitActivation(activation);
  return {
    outDim,
    variables: [weight, bias],
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        checkBlockRows("gcnConv", block, "kind" in x ? x.numRows : x.shape[0]);
        const norm = gcnNorm(block);
        const input = inputDropout(x, block.srcIds, options.dropout, index, context);
        // Â·(X·W) = (Â·X)·W: sum the narrower rows. CSR rows stay sparse only when projected first.
        if (!isCsr(input) && aggregatesFirst(block, inDim, outDim)) {
          const rows: Tensor2D = "kind" in input ? featuresToTensor(input) : input;
          return activate(linear(weightedSpmm(block, rows, norm), weights, fused), rest);
        }
        return biasActivate(weightedSpmm(block, project(input, weights.weight), norm), weights.bias, activation);
      }),
    dispose: () => {
      weight.variable.dispose();
      bias.variable.dispose();
    },
  };
}

function isCsr(x: LayerInput): boolean {
  return "kind" in x && x.kind === "csr";
}
