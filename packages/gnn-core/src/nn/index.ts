import type * as tf from "../backends/tf.ts";
import type { Rank, Tensor2D } from "../backends/tf.ts";
import type { edgeSoftmax } from "../ops/edge-softmax.ts";
import type { gsddmm, gspmm, updateAll } from "../ops/message-passing.ts";
import type { Activation } from "./activations.ts";
import type { ForwardContext, GnnModel, Layer, LayerInput } from "./model.ts";
import type { NamedVariable } from "./variables.ts";

export type { Activation } from "./activations.ts";
export { nn } from "./nn.ts";
export type { NamedVariable } from "./variables.ts";

/** A layer that owns variables. */
export interface ParametricLayer extends Layer {
  readonly variables: readonly NamedVariable[];
  dispose(): void;
}

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
  /** Of the leaky ReLU on attention scores; the paper has 0.2. */
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
/** The layers a model is built from; models receive it as `nn`. */
export interface Nn {
  /** GraphSAGE, mean aggregation: h_v = act(W_self·x_v + W_neigh·mean{ x_u : u ∈ N(v) } + b) */
  sageConv(options: LayerOptions): ParametricLayer;
  /** GCN: h_v = act(Σ_u W·x_u·w_uv/√(d̂_u·d̂_v) + b), over u ∈ N(v) ∪ {v} */
  gcnConv(options: LayerOptions): ParametricLayer;
  /** GAT: h_v = act(Σ_u α_uv·W·x_u + b), α from learned attention over u ∈ N(v) ∪ {v}, per head */
  gatConv(options: GatOptions): ParametricLayer;
  /** One hop of SGC: Z = Â·X, with the weight before the first and the bias after the last */
  sgcHop(options: SgcOptions): ParametricLayer;
  /** h_v = act(W·x_v + b), on the dst rows of the block */
  linear(options: LayerOptions): ParametricLayer;
  /** A model of these layers in order; it owns them. */
  sequential(
    layers: readonly ParametricLayer[],
    options: { readonly usesNeighbors: boolean; readonly usesDegrees?: boolean },
  ): GnnModel;

  /** For layers of one's own: variables, activation, and dropout keyed by (context, layer, row id, column). */
  glorotUniform(name: string, inDim: number, outDim: number, seed: number): NamedVariable<Rank.R2>;
  zeros(name: string, dim: number): NamedVariable<Rank.R1>;
  activate(x: Tensor2D, activation: Activation): Tensor2D;
  dropout(x: LayerInput, rowIds: Int32Array, rate: number, layer: number, context: ForwardContext): LayerInput;
  /** Feature rows as a tensor (CSR rows become dense), tensors as they are. Call it inside `tf.tidy`. */
  toTensor(x: LayerInput): Tensor2D;

  /** Message passing with gradients, and the tensor library it is written in. */
  readonly updateAll: typeof updateAll;
  readonly gspmm: typeof gspmm;
  readonly gsddmm: typeof gsddmm;
  readonly edgeSoftmax: typeof edgeSoftmax;
  readonly tf: typeof tf;
}
