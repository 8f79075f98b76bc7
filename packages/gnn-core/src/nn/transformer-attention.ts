import { mul, reshape, type Tensor2D } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { relationRows } from "../graph/relation-rows.ts";
import { relationTypes } from "../graph/relation-types.ts";
import { edgeSoftmax } from "../ops/edge-softmax.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { headLinear } from "../ops/head-linear.ts";
import { headDot, headSum } from "../ops/head-products.ts";
import type { TransformerOptions } from "./layer-options.ts";
import { filled, glorotUniform, type NamedVariable } from "./variables.ts";

/** What the nodes of a block ask for, are found by and send, all heads side by side. */
export interface AttentionInput {
  /** float32 [block.numDst, width] */
  readonly query: Tensor2D;
  /** float32 [block.numSrc, width] */
  readonly key: Tensor2D;
  /** float32 [block.numSrc, width] */
  readonly value: Tensor2D;
}

/** The matrices of relations, and what they make of a block's rows. */
export interface TransformerAttention {
  readonly variables: readonly NamedVariable[];
  /**
   *   αʰ_uv = softmax over all in-edges of v of μʰ_r·⟨kʰ_u·Aʰ_r, qʰ_v⟩ / √dim;  z_v = ‖ₕ Σ_{u → v} αʰ_uv·mʰ_u·Mʰ_r
   * The matrices meet what a dst row has of each relation, its query and its sums, never the rows of an edge.
   *
   * @returns float32 [block.numDst, width], inside a tidy
   */
  readonly attend: (block: Block, input: AttentionInput) => Tensor2D;
}

export function transformerAttention(options: TransformerOptions): TransformerAttention {
  const { index, seed, numRelations, heads, width } = options;
  const dim = width / heads;
  const height = numRelations * dim;
  // Each head has the matrices of all relations: side by side for queries (Aᵀ), below each other for what is sent.
  const attention = glorotUniform(`layers.${index}.attention`, heads * dim, height, seed, dim);
  const message = glorotUniform(`layers.${index}.message`, heads * height, dim, seed, dim);
  const priority = filled(`layers.${index}.priority`, numRelations * heads, 1);
  const scoresOf = (block: Block, rows: Block, { query, key }: AttentionInput) => {
    const asked = headLinear(query, attention.variable, heads, { to: numRelations });
    const products = headDot(rows, key, asked, heads);
    const priorities = gatherRows(reshape(priority.variable, [numRelations, heads]), relationTypes(block));
    return mul<Tensor2D>(mul<Tensor2D>(products, priorities), 1 / Math.sqrt(dim));
  };
  return {
    variables: [attention, message, priority],
    attend: (block, input) => {
      const rows = relationRows(block, numRelations);
      const alpha = edgeSoftmax(block, scoresOf(block, rows, input));
      const { messageFactors } = block;
      const sums = headSum(rows, input.value, messageFactors ? mul<Tensor2D>(alpha, messageFactors) : alpha);
      return headLinear(sums, message.variable, heads, { from: numRelations });
    },
  };
}
