import type { Rank, Tensor2D, Variable } from "../backends/tf.ts";
import type { DenseRows, FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { TypedInput } from "../graph/typed-input.ts";
import type { ColumnStatistics } from "../ops/batch-norm.ts";

export interface ModelShape {
  readonly inDim: number;
  readonly outDim: number;
  /** Seed of the initial weights. */
  readonly seed: number;
  /** Relations of the graph's edges, and types of its nodes; left out: all are alike */
  readonly numRelations?: number | undefined;
  readonly numNodeTypes?: number | undefined;
  /** Nodes with learned rows, where types have columns of their own and some have none; left out: they have not */
  readonly numLearnedRows?: number | undefined;
}

/** What a model reads of a graph beside features and blocks; its size is in the shape. */
export interface ModelGraph {
  /** int32 [numNodes] by GlobalId, each below `numNodeTypes`; null: all nodes are alike */
  readonly nodeTypes: Int32Array | null;
  /** Where each type has columns of its own; null: all have the same */
  readonly typedInput: TypedInput | null;
}

/** Everything a layer's randomness may depend on, and whether it is training at all. */
export interface ForwardContext {
  readonly training: boolean;
  readonly seed: number;
  readonly epoch: number;
  readonly step: number;
  /** A layer with `dropsInPlace` may do so now. Left out: it may not. */
  readonly mayDropInPlace?: boolean;
}

/** The input layer sees feature rows (dense or CSR), every later layer a tensor. */
export type LayerInput = FeatureRows | Tensor2D;

/**
 * One hop of a model: everything between two exchanges of rows, activation and dropout included.
 *
 * `applyToMeans`, `projection` and `batchNorm` are other ways to the values of `forward`, taken where they are faster;
 * `keepsSigns` and `dropsInPlace` are promises about it. A layer made from another one with a new `forward` must leave
 * them out.
 */
export interface Layer {
  readonly outDim: number;
  /**
   * True where src rows behind the dst rows are read in sums over edges alone: exact inference may then give the layer
   * a block with a src row per edge, and feature rows at any depth.
   */
  readonly readsRowsByEdge?: boolean;
  /** True where the gradient of `forward` asks of its output only which values are positive, and is 0 for others. */
  readonly keepsSigns?: boolean;
  /**
   * True where `forward` may drop elements of its input in the input's own memory, behind a layer with `keepsSigns`, as
   * nothing else of the layer reads it: dropped rows beside the rows would be among the largest arrays of a step.
   */
  readonly dropsInPlace?: boolean;
  /**
   * There when the layer reads no more of the neighbours than the mean of their rows:
   * forward(block, x)_v = applyToMeans([x_v ‖ mean{ x_u : u ∈ N(v) }]), without dropout.
   *
   * @param rows float32 [n, 2·inDim]
   * @returns float32 [n, outDim], owned by the caller
   */
  readonly applyToMeans?: (rows: DenseRows) => Tensor2D;
  /** There when the neighbours' rows may meet their weight before they are summed. */
  readonly projection?: NeighborProjection;
  /** @returns float32 [block.numDst, outDim], owned by the caller */
  forward(block: Block, x: LayerInput, context: ForwardContext): Tensor2D;
  /** There when the layer normalises by statistics of the batch: the two parts of `forward`, and what is between. */
  readonly batchNorm?: BatchNormCut;
}

/**
 * A layer without dropout, cut where the rows that neighbours read are known, so that exact inference projects each
 * node once and not once per edge: forward(block, x) = sum(block, first numDst rows of x, project(x)).
 */
export interface NeighborProjection {
  /** Columns of the projected rows */
  readonly dim: number;
  /** Each row on its own. @returns float32 [rows of x, dim] */
  project(x: LayerInput): Tensor2D;
  /**
   * @param own        the rows of the dst nodes, block.numDst of them
   * @param projected  float32 [block.numSrc, dim], row i belongs to block.srcIds[i]
   * @returns float32 [block.numDst, outDim], owned by the caller
   */
  sum(block: Block, own: LayerInput, projected: DenseRows): Tensor2D;
}

/**
 * A layer cut where statistics of the whole batch are needed, so that a training step can count them over all ranks
 * (train/batch-norm-step.ts): forward(block, x) = after(block, x, z, statistics of z), z = before(block, x).
 */
export interface BatchNormCut {
  /** Columns of z */
  readonly dim: number;
  /** float32 [dim] each: running averages, with which inference normalises; updated by training steps */
  readonly runningMean: Variable<Rank.R1>;
  readonly runningVariance: Variable<Rank.R1>;
  /** @returns float32 [block.numDst, dim] */
  before(block: Block, x: LayerInput, context: ForwardContext): Tensor2D;
  /** @returns float32 [block.numDst, outDim] */
  after(block: Block, x: LayerInput, z: Tensor2D, statistics: ColumnStatistics, context: ForwardContext): Tensor2D;
}

/** A model is its layers in order; the last gives logits, the one before it the embedding ("lastHidden"). */
export interface GnnModel {
  readonly layers: readonly Layer[];
  /** Trainable variables in a fixed order, with stable names such as `layers.0.weightSelf`. */
  readonly variables: readonly { readonly name: string; readonly variable: Variable }[];
  /** What is no weight but belongs to the trained model, such as running averages: stored with the weights. */
  readonly buffers?: readonly { readonly name: string; readonly variable: Variable }[];
  /** False for models that ignore edges: their blocks need no neighbours. */
  readonly usesNeighbors: boolean;
  /** True for models that normalise by degree: their blocks carry `srcDegrees`. */
  readonly usesDegrees?: boolean;
  /** True for models that walk edges relation by relation: their blocks may be sorted so ahead of the steps. */
  readonly walksRelations?: boolean;
  /** All layers at once, where that costs less than one after the other; the same result. blocks[i] is of layers[i]. */
  forward?(blocks: readonly Block[], x: LayerInput, context: ForwardContext): Tensor2D;
  dispose(): void;
}

/** What a model reads of its blocks */
export type ModelTraits = Pick<GnnModel, "usesNeighbors" | "usesDegrees" | "walksRelations">;
