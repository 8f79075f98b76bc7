import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { gcnWeights } from "../ops/gcn-norm.ts";
import { project } from "../ops/project.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import type { ParametricLayer, SgcOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * One hop of SGC: Z = Â·X, Â = D̂^-1/2·(A + I)·D̂^-1/2. The first hop multiplies by W before it (Âᴷ·X·W = Âᴷ·(X·W), on
 * rows of outDim instead of inDim), the last adds the bias. Wu et al. 2019 (arXiv:1902.07153), equation 8.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor for the first hop, a tensor for the others
 *   returns  float32 [block.numDst, outDim], owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no srcDegrees
 */
export function sgcHopLayer({ index, inDim, outDim, seed, dropout, isFirst, isLast }: SgcOptions): ParametricLayer {
  const weight = isFirst ? glorotUniform(`layers.${index}.weight`, inDim, outDim, seed) : null;
  const bias = isLast ? zeros(`layers.${index}.bias`, outDim) : null;
  const variables = [weight, bias].filter((each) => each !== null);
  return {
    outDim,
    variables,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        checkBlockRows("sgcHop", block, "kind" in x ? x.numRows : x.shape[0]);
        const rows = weight
          ? project(inputDropout(x, block.srcIds, dropout, index, context), weight.variable)
          : (x as Tensor2D);
        const out = weightedSpmm(block, rows, gcnWeights(block));
        return bias ? biasActivate(out, bias.variable, "none") : out;
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
