import { type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Activation } from "./activations.ts";
import { dense } from "./dense.ts";
import type { ForwardContext } from "./model.ts";
import type { NamedVariable } from "./variables.ts";

export interface OutputLayersOptions {
  readonly inDim: number;
  readonly outDim: number;
  readonly seed: number;
  /** Width of the hidden layer; 0: none */
  readonly hiddenFeats: number;
  /** Behind the hidden layer */
  readonly activation: Activation;
  /** Share of the input that is dropped in training */
  readonly dropout: number;
}

/** What a task of edges or of whole graphs lays behind the encoder. */
export interface OutputLayers {
  readonly variables: readonly NamedVariable[];
  /** float32 [n, outDim], owned by the caller; row i keyed by ids[i] */
  readonly apply: (x: Tensor2D, ids: Int32Array, context: ForwardContext) => Tensor2D;
}

/** Keys the dropout apart from that of the encoder's layers. */
const dropoutIndex = 1_000;

/** Prefix of the names of the weights of the last layer */
const lastLayer = "head.1";

/**
 * How wide the outputs of stored layers are.
 *
 * @param weights by name
 * @throws GnnError CHECKPOINT_INVALID when these layers are not among them
 */
export function outputWidth(weights: ReadonlyMap<string, { readonly shape: readonly number[] }>): number {
  const width = weights.get(`${lastLayer}.bias`)?.shape[0];
  if (width !== undefined) return width;
  throw new GnnError("CHECKPOINT_INVALID", `${lastLayer}.bias is missing; the model has no layers behind its encoder.`);
}

/** W₂·act(W₁·x + b₁) + b₂, or W·x + b without a hidden layer. The owner disposes the variables. */
export function makeOutputLayers(options: OutputLayersOptions): OutputLayers {
  const { inDim, outDim, seed, hiddenFeats, activation, dropout } = options;
  const hasHidden = hiddenFeats > 0;
  const common = { seed, index: dropoutIndex };
  const hidden = hasHidden
    ? dense({ ...common, name: "head.0", inDim, outDim: hiddenFeats, activation, dropout })
    : null;
  const output = dense({
    ...common,
    name: lastLayer,
    inDim: hasHidden ? hiddenFeats : inDim,
    outDim,
    activation: "none",
    dropout: hasHidden ? 0 : dropout,
  });
  return {
    variables: [...(hidden?.variables ?? []), ...output.variables],
    apply: (x, ids, context) => tidy(() => output.apply(hidden ? hidden.apply(x, ids, context) : x, ids, context)),
  };
}
