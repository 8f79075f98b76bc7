import type { Tensor1D, Tensor2D } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { linear } from "../ops/linear.ts";
import { firstRows } from "./first-rows.ts";
import type { OwnRowOptions } from "./layer-options.ts";
import type { LayerInput } from "./model.ts";
import { typeLinear } from "./type-linear.ts";
import { glorotUniform, type NamedVariable, zeros } from "./variables.ts";

/** What a layer does with the dst rows themselves: W_own·x_v + b, with one weight and bias for all or each type's. */
export interface OwnWeights {
  readonly variables: readonly NamedVariable[];
  /** Added to every row at the end; null where it is a row of each type */
  readonly outputBias: NamedVariable | null;
  /** The weight and the bias as `typedConv` takes them, and the types of a block's dst rows */
  readonly parameters: { readonly own: Tensor2D; readonly bias: Tensor1D };
  readonly numTypes: number;
  rowTypes(block: Block): Int32Array | null;
  /** @returns float32 [block.numDst, outDim], inside a tidy */
  of(block: Block, x: LayerInput): Tensor2D;
}

export function ownWeights(options: OwnRowOptions): OwnWeights {
  const { index, inDim, outDim, seed, own } = options;
  if (own && own.numTypes > 1) return byType(options, own);
  const weight = glorotUniform(`layers.${index}.weightSelf`, inDim, outDim, seed);
  const bias = zeros(`layers.${index}.bias`, outDim);
  return {
    variables: [weight, bias],
    outputBias: bias,
    parameters: { own: weight.variable, bias: bias.variable },
    numTypes: 1,
    rowTypes: () => null,
    of: (block, x) =>
      linear(firstRows("relationConv", x, block.numDst), { weight: weight.variable, bias: bias.variable }, "none"),
  };
}

function byType(
  { index, inDim, outDim, seed }: OwnRowOptions,
  { numTypes, types }: NonNullable<OwnRowOptions["own"]>,
): OwnWeights {
  const names = [`layers.${index}.weightSelf`, `layers.${index}.bias`] as const;
  const { variables, parameters, apply } = typeLinear({ names, numTypes, inDim, outDim, seed });
  const rowTypes = (block: Block) => block.srcIds.subarray(0, block.numDst).map((node) => types[node] as number);
  return {
    variables,
    outputBias: null,
    parameters: { own: parameters.weight, bias: parameters.bias },
    numTypes,
    rowTypes,
    of: (block, x) =>
      apply(firstRows("relationConv", x, block.numDst), block.srcIds.subarray(0, block.numDst), rowTypes(block)),
  };
}
