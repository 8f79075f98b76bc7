import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import { type AlikeRows, alikeRowsOf } from "../graph/alike-rows.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows } from "./block-attrs.ts";
import { type DropoutAttrs, type DropoutKey, dropoutAttrs } from "./dropout.ts";
import { featuresToTensor } from "./features-to-tensor.ts";
import type { FusedActivation } from "./linear.ts";

/** Relations above which rows are seldom alike; sums by relation are then made on their own (relation-conv.ts). */
const mostRelations = 16;

/** Means kept for each dst row: as those of GraphSAGE are. With more of them it takes less memory to sum again. */
const mostMeans = 2;

export interface TypedWeights {
  /** float32 [numRelations · inDim, outDim], relation after relation */
  readonly relations: Tensor2D;
  /** float32 [numTypes · inDim, outDim], applied to the node itself, by its type */
  readonly own: Tensor2D;
  /** float32 [numTypes · outDim] */
  readonly bias: Tensor1D;
}

export interface TypedShape {
  readonly numRelations: number;
  /** Types of nodes that have a weight of their own */
  readonly numTypes: number;
  /** Type of every dst row, int32 [block.numDst]; null where there is one */
  readonly rowTypes: Int32Array | null;
}

export interface TypedAttrs {
  readonly rows: AlikeRows;
  readonly activation: FusedActivation;
  /** Features are constants: their gradient is not computed. */
  readonly needsInputGradient: boolean;
  /** Whether the gradient finds the means that the forward pass has made, or sums again */
  readonly keepsMeans: boolean;
}

export interface TypedDroppedAttrs extends TypedAttrs {
  readonly drop: DropoutAttrs;
}

export interface TypedStoredAttrs extends TypedAttrs {
  readonly stored: StoredRows;
}

/**
 * Whether `typedConv` can compute the layer: on a processor, with dense rows, a handful of relations and a block whose
 * messages are multiplied by nothing. Elsewhere it is composed of relationConv and the node's own product.
 */
export function fusesTypedConv(block: Block, x: FeatureRows | Tensor2D, numRelations: number): boolean {
  const isCsr = "kind" in x && x.kind === "csr";
  return hasKernel("TypedConv") && !isCsr && numRelations <= mostRelations && !block.messageFactors;
}

/**
 * A layer on typed edges, fused: no message of an edge is stored, each row of the result is written once.
 *   h_v = act(Σ_r W_r·mean{ x_u : u → v of relation r } + W_own,type(v)·x_v + b_type(v))
 * Schlichtkrull et al. 2018 (arXiv:1703.06103), equation 2, with a weight of each type of node. Only where
 * `fusesTypedConv` says so.
 *
 * @param block  with types of edges; dst nodes are its first numDst src nodes
 * @param x      float32 [numSrc, inDim], row i belongs to block.srcIds[i]; feature rows get no gradient
 * @returns      float32 [numDst, outDim], owned by the caller. A relation without edges into a row adds 0
 * @throws GnnError SHAPE_MISMATCH when the block has no types, or x or the weights have other sizes
 */
export function typedConv(
  block: Block,
  x: FeatureRows | Tensor2D,
  weights: TypedWeights,
  shape: TypedShape,
  activation: FusedActivation,
): Tensor2D {
  const rows = rowsOf(block, x, weights, shape);
  const inputs = { relations: weights.relations, own: weights.own, bias: weights.bias };
  const keepsMeans = rows.edges[4] <= mostMeans * block.numDst;
  if (x instanceof StoredRows && x.source && !x.isDropped) {
    const attrs: TypedStoredAttrs = { rows, activation, needsInputGradient: false, keepsMeans, stored: x };
    return runKernel("TypedConvStored", inputs, attrs)[0] as Tensor2D;
  }
  return tidy(() => {
    const attrs: TypedAttrs = { rows, activation, needsInputGradient: !("kind" in x), keepsMeans };
    return runKernel("TypedConv", { x: "kind" in x ? featuresToTensor(x) : x, ...inputs }, attrs)[0] as Tensor2D;
  });
}

/**
 * typedConv of x whose elements are dropped in its own memory (ops/dropout.ts): nobody asks for its values any more,
 * only which of them are positive. The bits are those of dropping first.
 *
 * @param x     float32 [numSrc, inDim]
 * @param rate  in (0, 1)
 * @returns     float32 [numDst, outDim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH, SPEC_INVALID (rate)
 */
export function typedConvDroppedInPlace(
  block: Block,
  x: Tensor2D,
  weights: TypedWeights,
  shape: TypedShape,
  activation: FusedActivation,
  { rate, key }: { readonly rate: number; readonly key: DropoutKey },
): Tensor2D {
  const drop = dropoutAttrs(x.shape[0], block.srcIds, rate, key);
  if (drop.threshold === 0) return typedConv(block, x, weights, shape, activation);
  const rows = rowsOf(block, x, weights, shape);
  const keepsMeans = rows.edges[4] <= mostMeans * block.numDst;
  const attrs: TypedDroppedAttrs = { rows, activation, needsInputGradient: true, keepsMeans, drop };
  const inputs = { x, relations: weights.relations, own: weights.own, bias: weights.bias };
  return tidy(() => runKernel("TypedConvDroppedInPlace", inputs, attrs)[0] as Tensor2D);
}

function rowsOf(block: Block, x: FeatureRows | Tensor2D, weights: TypedWeights, shape: TypedShape): AlikeRows {
  checkBlockRows("typedConv", block, "kind" in x ? x.numRows : x.shape[0]);
  checkWeights("kind" in x ? x.dim : x.shape[1], weights, shape);
  return alikeRowsOf(block, shape);
}

function checkWeights(inDim: number, { relations, own, bias }: TypedWeights, shape: TypedShape): void {
  const [ofRelations, ofTypes] = [shape.numRelations * inDim, shape.numTypes * inDim];
  const outDim = relations.shape[1];
  const isFit = own.shape[1] === outDim && bias.shape[0] === shape.numTypes * outDim;
  if (relations.shape[0] === ofRelations && own.shape[0] === ofTypes && isFit) return;
  throw new GnnError(
    "SHAPE_MISMATCH",
    `typedConv: the weights are [${relations.shape.join(", ")}] of relations, [${own.shape.join(", ")}] of nodes and ` +
      `[${bias.shape.join(", ")}] as biases; expected [${ofRelations}, n], [${ofTypes}, n] and [${shape.numTypes} · n].`,
  );
}
