import type { Rank, Tensor2D, tfjs } from "../backends/tf.ts";
import type { edgeSoftmax } from "../ops/edge-softmax.ts";
import type { gsddmm, gspmm, updateAll } from "../ops/message-passing.ts";
import type { Activation } from "./activations.ts";
import type {
  AppnpModelOptions,
  FastRpOptions,
  GatOptions,
  GeneralOptions,
  GinOptions,
  JumpingOptions,
  LayerOptions,
  LightGcnOptions,
  RelationAttentionOptions,
  RelationGatOptions,
  RelationOptions,
  SageOptions,
  SgcOptions,
  TransformerOptions,
} from "./layer-options.ts";
import type { ForwardContext, GnnModel, Layer, LayerInput, ModelTraits } from "./model.ts";
import type { TypedInputOptions } from "./typed-input.ts";
import type { NamedVariable } from "./variables.ts";

export type { Activation } from "./activations.ts";
export type {
  AppnpModelOptions,
  FastRpOptions,
  GatOptions,
  GeneralOptions,
  GinOptions,
  JumpingOptions,
  LayerOptions,
  LightGcnOptions,
  RelationAttentionOptions,
  RelationDecomposition,
  RelationGatOptions,
  RelationOptions,
  SageOptions,
  SgcOptions,
  TransformerOptions,
} from "./layer-options.ts";
export { nn } from "./nn.ts";
export type { NamedVariable } from "./variables.ts";

/** A layer that owns variables. */
export interface ParametricLayer extends Layer {
  readonly variables: readonly NamedVariable[];
  /** The one of the variables that is added to every row at the end; a batch mean behind it would take it off again. */
  readonly outputBias?: NamedVariable;
  /** Running averages: stored with the weights, not trained. */
  readonly buffers?: readonly NamedVariable[];
  dispose(): void;
}

/** The layers a model is built from; models receive it as `nn`. */
export interface Nn {
  /** GraphSAGE: h_v = act(W_self·x_v + W_neigh·mean{ x_u : u ∈ N(v) } + b), or another aggregator */
  readonly sageConv: (options: SageOptions) => ParametricLayer;
  /** GCN: h_v = act(Σ_u W·x_u·w_uv/√(d̂_u·d̂_v) + b), over u ∈ N(v) ∪ {v} */
  readonly gcnConv: (options: LayerOptions) => ParametricLayer;
  /** GAT: h_v = act(Σ_u α_uv·W·x_u + b), α from learned attention over u ∈ N(v) ∪ {v}, per head */
  readonly gatConv: (options: GatOptions) => ParametricLayer;
  /** GIN: h_v = act(MLP((1 + ε)·x_v + Σ_{u ∈ N(v)} x_u)) */
  readonly ginConv: (options: GinOptions) => ParametricLayer;
  /** R-GCN, R-SAGE: h_v = act(Σ_r W_r·mean{ x_u : u → v of relation r } + W_own·x_v + b) */
  readonly relationConv: (options: RelationOptions) => ParametricLayer;
  /** Simple-HGN: as GAT, α from the edge's relation too, and W_own·x_v in place of a self-loop */
  readonly relationAttention: (options: RelationAttentionOptions) => ParametricLayer;
  /** R-GAT: GAT with weights and attention of each relation, and W_own·x_v in place of a self-loop */
  readonly relationGat: (options: RelationGatOptions) => ParametricLayer;
  /** HGT: attention with weights of the types of both ends and of the relation between, and a learned skip */
  readonly transformerConv: (options: TransformerOptions) => ParametricLayer;
  /** One hop of SGC: Z = Â·X, with the weight before the first and the bias after the last */
  sgcHop(options: SgcOptions): ParametricLayer;
  /** The mean of E^0 … E^K, E^k+1 = D^-1/2·A·D^-1/2·E^k: a model without weights, for `usesDegrees` */
  lightGcn(options: LightGcnOptions): GnnModel;
  /** One hop of FastRP: N ← D⁻¹·A·N beside the weighted sum of all before it, which the last hop gives */
  fastRpHop(options: FastRpOptions): ParametricLayer;
  /** h_v = act(W·x_v + b), on the dst rows of the block */
  readonly linear: (options: LayerOptions) => ParametricLayer;
  /**
   * A layer with what may follow it: h = act(norm(conv(x)) + x_v·W), then rows to length 1; the conv's own activation
   * is left out
   */
  generalLayer<O extends GeneralOptions>(options: O, conv: (options: O) => ParametricLayer): ParametricLayer;
  /** Layers in order, all of whose rows are read: y_v = x_v·J⁰ + h¹_v·J¹ + … + hᴷ_v·Jᴷ + b */
  jumpingLayers(layers: readonly ParametricLayer[], options: JumpingOptions): readonly ParametricLayer[];
  /** A first layer behind h_v = W_type(v)·x_v + b_type(v), or a learned row where the type has no features */
  withTypedInput(options: TypedInputOptions, layer: ParametricLayer): ParametricLayer;
  /** APPNP: an MLP, then hops z ← (1 − α)·Â·z + α·h */
  appnp(options: AppnpModelOptions): GnnModel;
  /** A model of these layers in order; it owns them. */
  sequential(layers: readonly ParametricLayer[], options: ModelTraits): GnnModel;

  /** For layers of one's own: variables, activation, and dropout keyed by (context, layer, row id, column). */
  glorotUniform(name: string, inDim: number, outDim: number, seed: number, fanIn?: number): NamedVariable<Rank.R2>;
  zeros(name: string, dim: number): NamedVariable<Rank.R1>;
  filled(name: string, dim: number, value: number): NamedVariable<Rank.R1>;
  activate(x: Tensor2D, activation: Activation): Tensor2D;
  dropout(x: LayerInput, rowIds: Int32Array, rate: number, layer: number, context: ForwardContext): LayerInput;
  /** Feature rows as a tensor (CSR rows become dense), tensors as they are. Call it inside `tf.tidy`. */
  toTensor(x: LayerInput): Tensor2D;

  /** Message passing with gradients, and the tensor library it is written in. */
  readonly updateAll: typeof updateAll;
  readonly gspmm: typeof gspmm;
  readonly gsddmm: typeof gsddmm;
  readonly edgeSoftmax: typeof edgeSoftmax;
  readonly tf: typeof tfjs;
}
