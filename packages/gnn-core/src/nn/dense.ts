import { type Tensor2D, tidy } from "../backends/tf.ts";
import { type LinearWeights, linear } from "../ops/linear.ts";
import { activate, splitActivation } from "./activate.ts";
import type { Activation } from "./activations.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, type NamedVariable, zeros } from "./variables.ts";

export interface DenseOptions {
  /** Prefix of the variables: `<name>.weight`, `<name>.bias` */
  readonly name: string;
  readonly inDim: number;
  readonly outDim: number;
  readonly seed: number;
  readonly activation: Activation;
  /** Dropout of the input while training, and what keys it */
  readonly dropout: number;
  readonly index: number;
}

export interface Dense {
  readonly variables: readonly [NamedVariable, NamedVariable];
  readonly weights: LinearWeights;
  /** act(x·W + b), row i keyed by rowIds[i]. @returns float32 [n, outDim], owned by the caller */
  readonly apply: (x: LayerInput, rowIds: Int32Array, context: ForwardContext) => Tensor2D;
}

/** A dense map of every row: what a linear layer and an MLP are made of. Its owner disposes the variables. */
export function dense({ name, inDim, outDim, seed, activation, dropout, index }: DenseOptions): Dense {
  const { fused, rest } = splitActivation(activation);
  const weight = glorotUniform(`${name}.weight`, inDim, outDim, seed);
  const bias = zeros(`${name}.bias`, outDim);
  const weights: LinearWeights = { weight: weight.variable, bias: bias.variable };
  return {
    variables: [weight, bias],
    weights,
    apply: (x, rowIds, context) =>
      tidy(() => activate(linear(inputDropout(x, rowIds, dropout, index, context), weights, fused), rest)),
  };
}
