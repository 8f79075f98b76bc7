import { add, mul, type Tensor2D, tidy } from "../backends/tf.ts";
import type { ForwardContext } from "../nn/model.ts";
import { makeOutputLayers } from "../nn/output-layers.ts";
import type { NamedVariable } from "../nn/variables.ts";
import { joinAllColumns } from "../ops/columns.ts";

/** What follows the encoder: rows of the two ends of an edge to the output of the edge. */
export interface EdgeHead {
  readonly variables: readonly NamedVariable[];
  /**
   * float32 [edges, outDim]; to be called inside `tidy`.
   *
   * @param src      float32 [edges, dim], the encoder's rows of the sources
   * @param dst      float32 [edges, dim], of the targets
   * @param features float32 [edges, featureDim]; null: edges have none
   * @param edges    by which dropout is drawn
   */
  apply(
    ends: { readonly src: Tensor2D; readonly dst: Tensor2D },
    features: Tensor2D | null,
    edges: Int32Array,
    context: ForwardContext,
  ): Tensor2D;
}

export interface EdgeHeadOptions {
  /** Width of the encoder's output */
  readonly dim: number;
  readonly featureDim: number;
  readonly outDim: number;
  /** false: the output does not change when source and target change places */
  readonly directed: boolean;
  readonly seed: number;
  /** Width of the hidden layer; 0: none */
  readonly hiddenFeats: number;
  /** Share of the input that is dropped in training */
  readonly dropout: number;
}

/**
 * z_uv = W₂·relu(W₁·x + b₁) + b₂, or W·x + b without a hidden layer, of
 *   x = [h_u ‖ h_v ‖ e_uv]                     of a directed graph
 *   x = [h_u + h_v ‖ h_u ∘ h_v ‖ e_uv]         of an undirected one, the same for u, v and v, u
 * Its owner disposes the variables.
 */
export function makeEdgeHead(options: EdgeHeadOptions): EdgeHead {
  const { dim, featureDim, outDim, directed, seed, hiddenFeats, dropout } = options;
  const inDim = 2 * dim + featureDim;
  const layers = makeOutputLayers({ inDim, outDim, seed, hiddenFeats, activation: "relu", dropout });
  return {
    variables: layers.variables,
    apply: ({ src, dst }, features, edges, context) =>
      tidy(() => {
        const ends = directed ? [src, dst] : [add<Tensor2D>(src, dst), mul<Tensor2D>(src, dst)];
        const x = joinAllColumns(features ? [...ends, features] : ends);
        return layers.apply(x, edges, context);
      }),
  };
}
