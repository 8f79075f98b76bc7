import type { Tensor2D, Variable } from "../backends/tf.ts";
import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";

export interface ModelShape {
  readonly inDim: number;
  readonly outDim: number;
  /** Seed of the initial weights. */
  readonly seed: number;
}

/** Everything a layer's randomness may depend on, and whether it is training at all. */
export interface ForwardContext {
  readonly training: boolean;
  readonly seed: number;
  readonly epoch: number;
  readonly step: number;
}

/** The input layer sees feature rows (dense or CSR), every later layer a tensor. */
export type LayerInput = FeatureRows | Tensor2D;

/** One hop of a model: everything between two exchanges of rows, activation and dropout included. */
export interface Layer {
  readonly outDim: number;
  /** @returns float32 [block.numDst, outDim], owned by the caller */
  forward(block: Block, x: LayerInput, context: ForwardContext): Tensor2D;
}

/** A model is its layers in order; the last gives logits, the one before it the embedding ("lastHidden"). */
export interface GnnModel {
  readonly layers: readonly Layer[];
  /** Trainable variables in a fixed order, with stable names such as `layers.0.weightSelf`. */
  readonly variables: readonly { readonly name: string; readonly variable: Variable }[];
  /** False for models that ignore edges: their blocks need no neighbours. */
  readonly usesNeighbors: boolean;
  /** True for models that normalise by degree: their blocks carry `srcDegrees`. */
  readonly usesDegrees?: boolean;
  dispose(): void;
}
