import { reshape, type Tensor1D, type Tensor2D, tidy } from "../backends/tf.ts";
import { selfBlock } from "../graph/self-block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { relationConv } from "../ops/relation-conv.ts";
import type { LayerInput } from "./model.ts";
import { glorotUniform, type NamedVariable, zeros } from "./variables.ts";

/** A weight and a bias of each type of node. */
export interface TypeLinear {
  readonly variables: readonly NamedVariable[];
  /** float32 [numTypes · inDim, outDim] and [numTypes · outDim] */
  readonly parameters: { readonly weight: Tensor2D; readonly bias: Tensor1D };
  /**
   * y_v = W_type(v)·x_v + b_type(v). Every row is its own and only neighbour, along an edge of its type: no other
   * kernel is needed.
   *
   * @param x      [n, inDim], feature rows or a tensor
   * @param ids    GlobalId of every row, int32 [n]
   * @param types  type of every row, int32 [n]
   * @returns      float32 [n, outDim], inside a tidy
   */
  readonly apply: (x: LayerInput, ids: Int32Array, types: Int32Array) => Tensor2D;
}

export interface TypeLinearOptions {
  /** Names of the weight and of the bias */
  readonly names: readonly [weight: string, bias: string];
  readonly numTypes: number;
  readonly inDim: number;
  readonly outDim: number;
  readonly seed: number;
}

export function typeLinear({ names, numTypes, inDim, outDim, seed }: TypeLinearOptions): TypeLinear {
  const weight = glorotUniform(names[0], numTypes * inDim, outDim, seed, inDim);
  const bias = zeros(names[1], numTypes * outDim);
  return {
    variables: [weight, bias],
    parameters: { weight: weight.variable, bias: bias.variable },
    apply: (x, ids, types) =>
      tidy(() => {
        const options = { numRelations: numTypes, reduce: "sum" } as const;
        const product = relationConv({ ...selfBlock(ids), types }, x, weight.variable, options);
        return addActivate(product, gatherRows(reshape(bias.variable, [numTypes, outDim]), types), "none");
      }),
  };
}
