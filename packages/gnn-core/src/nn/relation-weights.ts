import { matMul, type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { columnRange, joinAllColumns } from "../ops/columns.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { relationConv } from "../ops/relation-conv.ts";
import { blocksOf } from "./diagonal-blocks.ts";
import type { RelationOptions } from "./layer-options.ts";
import type { LayerInput } from "./model.ts";
import { glorotUniform, type NamedVariable } from "./variables.ts";

/** The weights of a layer's relations, and what its edges come to with them. */
export interface RelationWeights {
  readonly variables: readonly NamedVariable[];
  /** Σ_r W_r·mean{ x_u : u → v of relation r }. @returns float32 [block.numDst, outDim], inside a tidy */
  sum(block: Block, x: LayerInput): Tensor2D;
  /**
   * All W_r, relation after relation, float32 [numRelations · inDim, outDim], inside a tidy; null where none is made
   */
  readonly matrices: (() => Tensor2D) | null;
}

/**
 * W_r of every relation r, by its decomposition:
 *   none    a matrix of its own
 *   basis   W_r = Σ_b a_rb·V_b, with numBases matrices V that the relations share; arXiv:1703.06103, equation 3
 *   blocks  W_r = diag(Q_r1, …, Q_rB): as many equal blocks as divide both widths, at most numBlocks; equation 4
 */
export function relationWeights(options: RelationOptions): RelationWeights {
  const { index, inDim, outDim, seed, numRelations, decomposition } = options;
  const mean = { numRelations, reduce: "mean" } as const;
  if (decomposition.type === "blocks") return blockDiagonal(options, decomposition.numBlocks);
  if (decomposition.type === "basis" && decomposition.numBases < numRelations) {
    const { numBases } = decomposition;
    const bases = glorotUniform(`layers.${index}.bases`, numBases * inDim, outDim, seed, inDim);
    const coefficients = glorotUniform(`layers.${index}.coefficients`, numRelations, numBases, seed);
    const made = () => {
      const flat = matMul<Tensor2D>(coefficients.variable, reshape(bases.variable, [numBases, inDim * outDim]));
      return reshape<Rank.R2>(flat, [numRelations * inDim, outDim]);
    };
    return {
      variables: [bases, coefficients],
      matrices: made,
      sum: (block, x) => relationConv(block, x, made(), mean),
    };
  }
  const weights = glorotUniform(`layers.${index}.weightRelations`, numRelations * inDim, outDim, seed, inDim);
  return {
    variables: [weights],
    matrices: () => weights.variable,
    sum: (block, x) => relationConv(block, x, weights.variable, mean),
  };
}

/** Each block reads and writes columns of its own. */
function blockDiagonal({ index, inDim, outDim, seed, numRelations }: RelationOptions, most: number): RelationWeights {
  const numBlocks = blocksOf(inDim, outDim, most);
  const [rows, columns] = [inDim / numBlocks, outDim / numBlocks];
  const blocks = Array.from({ length: numBlocks }, (_, b) =>
    glorotUniform(`layers.${index}.blocks.${b}`, numRelations * rows, columns, seed, rows),
  );
  return {
    variables: blocks,
    matrices: null,
    sum: (block, x) =>
      tidy(() => {
        const input = "kind" in x ? featuresToTensor(x) : x;
        const partOf = (b: number) => (numBlocks === 1 ? input : columnRange(input, b * rows, (b + 1) * rows));
        return joinAllColumns(
          blocks.map(({ variable }, b) => relationConv(block, partOf(b), variable, { numRelations, reduce: "mean" })),
        );
      }),
  };
}
