import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { type Rank, reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import type { Block } from "../graph/block.ts";
import { type BlockRelations, relationsOf } from "../graph/block-relations.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { checkBlockRows } from "./block-attrs.ts";
import { joinAllColumns } from "./columns.ts";
import { featuresToTensor } from "./features-to-tensor.ts";
import { project } from "./project.ts";
import { rowRange } from "./row-range.ts";
import { areSumsSmaller, shareOfEdges, sparseRelationSums, type TypedBlock } from "./sparse-relation-sums.ts";
import { weightedSpmm } from "./weighted-spmm.ts";

/** What the edges of one relation into a row come to. */
export type RelationReduce = "mean" | "sum";

export interface RelationAttrs {
  readonly relations: BlockRelations;
  readonly reduce: RelationReduce;
  /** Features are constants: their gradient is not computed. */
  readonly needsInputGradient: boolean;
}

export interface RelationStoredAttrs extends RelationAttrs {
  readonly rows: StoredRows;
}

/**
 * Aggregation over typed edges: out_v = Σ_r W_r·reduce{ x_u : u → v of relation r }. Relation by relation, and of each
 * only the rows that have edges of it: no message of an edge is stored. Sums of rows by relation are, a chunk at a time
 * on a processor and all of them on a device, none of rows without edges of the relation.
 * Schlichtkrull et al. 2018 (arXiv:1703.06103), equation 2, without the node's own term.
 *
 * CSR rows are added up by relation and then multiplied, or multiplied first, by the weights of all relations side by
 * side, whichever is less. A block's `messageFactors` multiply the rows, not what they are divided by.
 *
 * @param x        float32 [block.numSrc, inDim]: a tensor (gets a gradient), or feature rows (do not)
 * @param weights  float32 [numRelations · inDim, outDim], relation after relation
 * @returns        float32 [block.numDst, outDim], owned by the caller; rows without in-edges are 0
 * @throws GnnError SHAPE_MISMATCH when the block has no types, x not one row per src node, or the weights other widths
 */
export function relationConv(
  block: Block,
  x: FeatureRows | Tensor2D,
  weights: Tensor2D,
  { numRelations, reduce }: { readonly numRelations: number; readonly reduce: RelationReduce },
): Tensor2D {
  checkBlockRows("relationConv", block, "kind" in x ? x.numRows : x.shape[0]);
  const inDim = "kind" in x ? x.dim : x.shape[1];
  if (weights.shape[0] !== numRelations * inDim) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `relationConv: the weights have ${weights.shape[0]} rows; expected ${numRelations} relations of ${inDim} columns of x.`,
    );
  }
  const relations = relationsOf(block, numRelations);
  if ("kind" in x && x.kind === "csr" && hasKernel("LinearCsr") && !block.messageFactors) {
    if (areSumsSmaller(block, x, numRelations)) {
      return project(sparseRelationSums(block as TypedBlock, x, numRelations, reduce), weights);
    }
  }
  if (!hasKernel("RelationConv") || block.messageFactors || ("kind" in x && x.kind === "csr")) {
    return composeRelationConv(block, x, weights, { numRelations, reduce });
  }
  if (x instanceof StoredRows && x.source && !x.isDropped) {
    const attrs: RelationStoredAttrs = { relations, reduce, needsInputGradient: false, rows: x };
    return runKernel("RelationConvStored", { weights }, attrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const attrs: RelationAttrs = { relations, reduce, needsInputGradient: !("kind" in x) };
    return runKernel("RelationConv", { x: "kind" in x ? featuresToTensor(x) : x, weights }, attrs)[0] as Tensor2D;
  });
}

/** Composes the op from others: each row by the weights of all relations, then sums of the parts that edges ask for. */
export function composeRelationConv(
  block: Block,
  x: FeatureRows | Tensor2D,
  weights: Tensor2D,
  { numRelations, reduce }: { readonly numRelations: number; readonly reduce: RelationReduce },
): Tensor2D {
  return tidy(() => {
    const outDim = weights.shape[1];
    const inDim = weights.shape[0] / numRelations;
    const ofRelations = Array.from({ length: numRelations }, (_, r) => rowRange(weights, r * inDim, (r + 1) * inDim));
    const projected = project(x, joinAllColumns(ofRelations));
    const parts = reshape<Rank.R2>(projected, [block.numSrc * numRelations, outDim]);
    const edgeWeights = reduce === "mean" ? shareOfEdges(block as TypedBlock, numRelations) : null;
    return weightedSpmm(partsBlock(block, numRelations), parts, { edgeWeights, selfWeights: null });
  });
}

/** The block whose src row u · numRelations + r is what u sends along edges of relation r. */
function partsBlock(block: Block, numRelations: number): Block {
  const { device, numSrc, numDst, indptr, indices, srcIds, types, messageFactors } = block;
  const parts = indices.map((src, e) => src * numRelations + (types as Int32Array)[e]!);
  const sizes = { device, numSrc: numSrc * numRelations, numDst } as const;
  const made = withReverse({ ...sizes, indptr, indices: parts, srcIds, weights: null });
  return messageFactors ? { ...made, messageFactors } : made;
}
