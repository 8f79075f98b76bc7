import { type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { pairBlock, relationPairs } from "../graph/relation-pairs.ts";
import { addActivate } from "../ops/add-activate.ts";
import { attentionSum } from "../ops/attention-sum.ts";
import { edgeSoftmax } from "../ops/edge-softmax.ts";
import { headDot } from "../ops/head-products.ts";
import { leakyRelu } from "../ops/leaky-relu.ts";
import { gsddmm } from "../ops/message-passing.ts";
import { relationConv } from "../ops/relation-conv.ts";
import type { ParametricLayer, RelationGatOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { ownWeights } from "./own-weights.ts";
import { glorotUniform } from "./variables.ts";

/**
 * Graph attention of each relation by itself; dropout on x while training.
 *   h_v = act(‖ₕ Σ_r Σ_{u → v of r} αʰ_uvr·Wʰ_r·x_u + W_own·x_v + b), or the mean over heads instead of concatenation ‖
 *   αʰ_uvr = softmax of leakyReLU(⟨aʰ_src,r, Wʰ_r·x_u⟩ + ⟨aʰ_dst,r, Wʰ_r·x_v⟩)
 * The softmax is over the in-edges of v of relation r (`withinRelation`, WIRGAT) or over all its in-edges
 * (`acrossRelations`, ARGAT). Busbridge et al. 2019 (arXiv:1904.05811), section 2, with additive attention; the node
 * itself is reached by W_own as in R-GCN, and W_own and b may be those of its type. W_r meets a src row once for each
 * relation that the row has edges of, never an edge.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. Without in-edges: act(W_own·x_v + b)
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no types of edges
 */
export function relationGatLayer(options: RelationGatOptions): ParametricLayer {
  const { index, inDim, outDim, seed, numRelations, heads, merge, softmax, negativeSlope } = options;
  const dim = merge === "concat" ? outDim / heads : outDim;
  const name = (variable: string) => `layers.${index}.${variable}`;
  const weight = glorotUniform(name("weightRelations"), numRelations * inDim, heads * dim, seed, inDim);
  const attentionSrc = glorotUniform(name("attentionSrc"), numRelations * heads, dim, seed, heads);
  const attentionDst = glorotUniform(name("attentionDst"), numRelations * heads, dim, seed, heads);
  const own = ownWeights(options);
  const variables = [weight, attentionSrc, attentionDst, ...own.variables];
  const relationsOfWeight = Int32Array.from({ length: numRelations * inDim }, (_, row) => Math.floor(row / inDim));
  const sum = { numRelations, reduce: "sum" } as const;

  /** ⟨aʰ_r, row⟩ of every row of columns by head, r its relation. @returns float32 [rows, heads] */
  const headScores = (block: Block, rows: Tensor2D, relations: Int32Array, attention: Tensor2D) => {
    const ofRows = pairBlock(block, numRelations, relations);
    return headDot(ofRows, reshape<Rank.R2>(attention, [numRelations, heads * dim]), rows, heads);
  };
  const attend = (block: Block, input: LayerInput) => {
    const { sending, receiving, byRelation, together } = relationPairs(block);
    const z = relationConv(sending, input, weight.variable, sum);
    // ⟨a, W·x⟩ = ⟨W·a, x⟩: the rows that receive need one number per head of W·x.
    const folded = headScores(block, weight.variable, relationsOfWeight, attentionDst.variable);
    const ends = gsddmm(byRelation, "add", {
      src: headScores(block, z, sending.types, attentionSrc.variable),
      dst: relationConv(receiving, input, folded, sum),
    });
    const alpha = edgeSoftmax(softmax === "withinRelation" ? byRelation : together, leakyRelu(ends, negativeSlope));
    const { messageFactors } = block;
    return attentionSum(messageFactors ? { ...together, messageFactors } : together, z, alpha, merge);
  };
  return {
    outDim,
    variables,
    ...(own.outputBias && { outputBias: own.outputBias }),
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const input = inputDropout(x, block.srcIds, options.dropout, index, context);
        return addActivate(own.of(block, input), attend(block, input), options.activation);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
