import { add, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { relationTypes } from "../graph/relation-types.ts";
import { addActivate } from "../ops/add-activate.ts";
import { attentionSum } from "../ops/attention-sum.ts";
import { edgeSoftmax } from "../ops/edge-softmax.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { headScores } from "../ops/head-scores.ts";
import { leakyRelu } from "../ops/leaky-relu.ts";
import { gsddmm } from "../ops/message-passing.ts";
import { project } from "../ops/project.ts";
import { firstRows } from "./first-rows.ts";
import type { ParametricLayer, RelationAttentionOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { ownWeights } from "./own-weights.ts";
import { glorotUniform } from "./variables.ts";

/**
 * Attention that knows of which relation an edge is; dropout on x while training.
 *   h_v = act(‖ₕ Σ_{u → v} αʰ_uv·Wʰ·x_u + W_own·x_v + b), or the mean over heads instead of their concatenation ‖
 *   αʰ_uv = softmax over all in-edges of v of leakyReLU(⟨aʰ_src, Wʰ·x_u⟩ + ⟨aʰ_dst, Wʰ·x_v⟩ + ⟨aʰ_rel, Uʰ·e_r⟩)
 * e_r is learned of each relation r. Lv et al. 2021 (arXiv:2112.14936), equation 13 and the residual of equation 16;
 * W_own and b may be those of the node's type. The node itself is reached by W_own alone, not by a self-loop.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. Without in-edges: act(W_own·x_v + b)
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no types of edges
 */
export function relationAttentionLayer(options: RelationAttentionOptions): ParametricLayer {
  const { index, inDim, outDim, seed, numRelations, relationDim, heads, merge, negativeSlope } = options;
  const dim = merge === "concat" ? outDim / heads : outDim;
  const name = (variable: string) => `layers.${index}.${variable}`;
  const weight = glorotUniform(name("weight"), inDim, heads * dim, seed);
  const attentionSrc = glorotUniform(name("attentionSrc"), heads, dim, seed);
  const attentionDst = glorotUniform(name("attentionDst"), heads, dim, seed);
  const relations = glorotUniform(name("relations"), numRelations, relationDim, seed);
  const relationWeight = glorotUniform(name("relationWeight"), relationDim, heads * relationDim, seed);
  const attentionRelation = glorotUniform(name("attentionRelation"), heads, relationDim, seed);
  const own = ownWeights(options);
  const attention = [weight, attentionSrc, attentionDst, relations, relationWeight, attentionRelation];
  const variables = [...attention, ...own.variables];

  /** float32 [numEdges, heads] */
  const scoresOf = (block: Block, z: Tensor2D) => {
    const received = firstRows("relationAttention", z, block.numDst) as Tensor2D;
    const ends = gsddmm(block, "add", {
      src: headScores(z, attentionSrc.variable),
      dst: headScores(received, attentionDst.variable),
    });
    const projected = project(relations.variable, relationWeight.variable);
    const ofRelations = headScores(projected, attentionRelation.variable);
    return leakyRelu(add(ends, gatherRows(ofRelations, relationTypes(block))), negativeSlope);
  };
  return {
    outDim,
    variables,
    ...(own.outputBias && { outputBias: own.outputBias }),
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const input = inputDropout(x, block.srcIds, options.dropout, index, context);
        const z = project(input, weight.variable);
        const alpha = edgeSoftmax(block, scoresOf(block, z));
        return addActivate(own.of(block, input), attentionSum(block, z, alpha, merge), options.activation);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
