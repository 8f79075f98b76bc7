import type { Activation } from "./activations.ts";
import type { Norm, RelationSoftmax, SageAggregator } from "./layer-choices.ts";

export interface LayerOptions {
  /** Position in the model: names the variables (`layers.<index>.…`) and keys the dropout. */
  readonly index: number;
  readonly inDim: number;
  readonly outDim: number;
  /** Seed of the initial weights. */
  readonly seed: number;
  readonly activation: Activation;
  /** Dropout of the layer's input while training, in [0, 1). */
  readonly dropout: number;
}

export interface GatOptions extends LayerOptions {
  readonly heads: number;
  /** `concat`: heads side by side, outDim / heads columns each; `mean`: their average, each outDim wide. */
  readonly merge: "concat" | "mean";
  /** Dropout of the attention coefficients while training, in [0, 1). */
  readonly attentionDropout: number;
  /** Dropout of the projected rows that are summed, not of those that are scored, in [0, 1). Default: 0 */
  readonly projectionDropout?: number;
  /** Slope of the leaky ReLU on attention scores; the paper has 0.2. */
  readonly negativeSlope: number;
}

export interface SgcOptions {
  readonly index: number;
  readonly inDim: number;
  /** Seed of the initial weights. */
  readonly seed: number;
  /** Dropout of the features while training, in [0, 1). */
  readonly dropout: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly outDim: number;
}

export interface LightGcnOptions {
  /** Width of the rows, before and behind all hops */
  readonly dim: number;
  readonly numHops: number;
}

export interface FastRpOptions {
  readonly index: number;
  /** Width of the rows, before and behind all hops */
  readonly dim: number;
  /** What each hop's rows weigh in the sum, as many as there are hops */
  readonly weights: readonly number[];
  readonly ownWeight: number;
  /** Whether rows are brought to length 1 before they are weighed */
  readonly normalizeHops: boolean;
}

export interface SageOptions extends LayerOptions {
  /** Default: mean */
  readonly aggregator?: SageAggregator;
  /** Columns of the rows that `pool` takes the maximum of; default: outDim */
  readonly poolDim?: number;
}

export interface GinOptions extends LayerOptions {
  /** Columns between the two layers of the MLP, and the activation there */
  readonly mlpDim: number;
  readonly mlpActivation: Activation;
  /** Extra weight of the node itself, where it starts when it is learned */
  readonly epsilon: number;
  readonly learnEpsilon: boolean;
}

export interface JumpingOptions {
  /** Columns of the features, and of what all layers' rows are mapped to */
  readonly inDim: number;
  readonly outDim: number;
  /** Seed of the initial weights. */
  readonly seed: number;
}

export interface GeneralOptions extends LayerOptions {
  readonly norm: Norm;
  /** Adds the dst rows of the layer's input before the activation, through a weight where the widths differ. */
  readonly residual: boolean;
  /** Divides each row of the result by its Euclidean length. */
  readonly l2Normalize: boolean;
}

export interface AppnpModelOptions {
  /** [inDim, outDim] of each layer of the MLP */
  readonly dims: readonly (readonly [number, number])[];
  readonly outDim: number;
  readonly seed: number;
  /** Between the layers of the MLP */
  readonly activation: Activation;
  readonly numHops: number;
  /** Probability of going back to the node itself, in (0, 1] */
  readonly alpha: number;
  /** Dropout while training: of the features, of hidden layers' inputs, of the entries of the adjacency */
  readonly inputDropout: number;
  readonly dropout: number;
  readonly edgeDropout: number;
}

/** How the weights of relations are made of fewer: each a sum of shared matrices, or blocks on its diagonal. */
export type RelationDecomposition =
  | { readonly type: "none" }
  | { readonly type: "basis"; readonly numBases: number }
  | { readonly type: "blocks"; readonly numBlocks: number };

/** A layer in which the node's own row has a weight apart from those of its neighbours. */
export interface OwnRowOptions extends LayerOptions {
  /** Weights of the node's own row by its type; left out: one for all */
  readonly own?: { readonly numTypes: number; readonly types: Int32Array };
}

export interface RelationOptions extends OwnRowOptions {
  readonly numRelations: number;
  readonly decomposition: RelationDecomposition;
}

export interface TransformerOptions extends OwnRowOptions {
  readonly numRelations: number;
  readonly heads: number;
  /** Columns that are attended to, all heads together: a multiple of `heads` */
  readonly width: number;
}

export interface RelationGatOptions extends OwnRowOptions {
  readonly numRelations: number;
  readonly heads: number;
  /** `concat`: heads side by side, outDim / heads columns each; `mean`: their average, each outDim wide. */
  readonly merge: "concat" | "mean";
  /** Among which edges attention adds up to 1 */
  readonly softmax: RelationSoftmax;
  /** Slope of the leaky ReLU on attention scores */
  readonly negativeSlope: number;
}

export interface RelationAttentionOptions extends OwnRowOptions {
  readonly numRelations: number;
  /** Length of the vector that is learned of each relation */
  readonly relationDim: number;
  readonly heads: number;
  /** `concat`: heads side by side, outDim / heads columns each; `mean`: their average, each outDim wide. */
  readonly merge: "concat" | "mean";
  /** Slope of the leaky ReLU on attention scores; the authors' code has 0.05. */
  readonly negativeSlope: number;
}
