import type { z } from "zod";
import type { Nn } from "../nn/index.ts";
import type { GnnModel, ModelGraph, ModelShape } from "../nn/model.ts";
import type { ComponentBase } from "./component.ts";

/**
 * The fixed sum over neighbours that each layer of a model begins with, nothing but dropout before it: "mean", or "gcn"
 * for the symmetrically normalised adjacency (control-variate/neighbor-sum.ts has both as equations).
 */
export type LinearAggregation = "mean" | "gcn";

/** Rows of a very sparse random projection. */
export interface RandomRows {
  /** The power of a node's degree that its row is multiplied by */
  readonly normalizationStrength: number;
}

export interface ModelComponent<O extends z.ZodObject = z.ZodObject> extends ComponentBase<O> {
  readonly kind: "model";
  /** Number of message-passing hops, which the sampler must provide; 0 for a model that ignores edges. */
  readonly numHops: (options: z.infer<O>) => number;
  /** For samplers that estimate that sum or compute it ahead; null or left out: the layers begin with no such sum. */
  readonly aggregation?: (options: z.infer<O>) => LinearAggregation | null;
  /** Whether its layers count the weights of edges, where the graph has some; left out: it is not known. */
  readonly readsEdgeWeights?: (options: z.infer<O>) => boolean;
  /** Whether its layers tell the types of edges apart, so that the graph must have some; left out: they do not. */
  readonly readsEdgeTypes?: (options: z.infer<O>) => boolean;
  /** false: it reads learned rows of the nodes (`features.embedding`) alone, and none of their columns. Default true */
  readonly readsFeatures?: boolean;
  /**
   * What it reads random rows of the nodes by, as wide as its output, instead of features and learned rows; it then has
   * nothing to learn, and goes with tasks that learn nothing. Left out: it reads none
   */
  readonly randomRows?: (options: z.infer<O>) => RandomRows;
  /** Whether it brings rows of types with columns of their own to one width first, for the estimate. Default false */
  readonly projectsTypes?: boolean;
  /**
   * What a number that goes along an edge costs, for the estimate, in units of what it costs to be summed: more where
   * the layer computes something for each edge. Default 1.
   */
  readonly messageCost?: number;
  /** Width of its hidden layers, for the estimate; left out: as wide as the wider of its input and output. */
  readonly hiddenFeats?: (options: z.infer<O>, shape: Pick<ModelShape, "inDim" | "outDim">) => number;
  /** Whether any of its layers drops anything in training; left out: it may. */
  readonly usesDropout?: (options: z.infer<O>) => boolean;
  /** Number of float32 parameters, for the estimate. */
  readonly numParameters: (options: z.infer<O>, shape: ModelShape) => number;
  /**
   * Builds the model. `nn` carries the layers, so that this file needs no tensor import and the
   * catalogue can be read without native code.
   */
  readonly create: (options: z.infer<O>, shape: ModelShape, nn: Nn, graph?: ModelGraph) => GnnModel;
}

/** Declares a model. One per file, exported from `models/<name>.model.ts`. */
export function defineModel<O extends z.ZodObject>(model: Omit<ModelComponent<O>, "kind">): ModelComponent<O> {
  return { kind: "model", ...model };
}
