import { reshape, type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { selfBlock } from "../graph/self-block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { linear } from "../ops/linear.ts";
import { relationConv } from "../ops/relation-conv.ts";
import { firstRows } from "./first-rows.ts";
import type { OwnRowOptions } from "./layer-options.ts";
import type { LayerInput } from "./model.ts";
import { glorotUniform, type NamedVariable, zeros } from "./variables.ts";

/** What a layer does with the dst rows themselves: W_own·x_v + b, with one weight and bias for all or each type's. */
export interface OwnWeights {
  readonly variables: readonly NamedVariable[];
  /** Added to every row at the end; null where it is a row of each type */
  readonly outputBias: NamedVariable | null;
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
    of: (block, x) =>
      linear(firstRows("relationConv", x, block.numDst), { weight: weight.variable, bias: bias.variable }, "none"),
  };
}

/** Every dst row is its own and only neighbour, along an edge of its type: no other kernel is needed. */
function byType(
  { index, inDim, outDim, seed }: OwnRowOptions,
  { numTypes, types }: NonNullable<OwnRowOptions["own"]>,
): OwnWeights {
  const weight = glorotUniform(`layers.${index}.weightSelf`, numTypes * inDim, outDim, seed, inDim);
  const bias = zeros(`layers.${index}.bias`, numTypes * outDim);
  return {
    variables: [weight, bias],
    outputBias: null,
    of: (block, x) =>
      tidy(() => {
        const ids = block.srcIds.subarray(0, block.numDst);
        const ofRows = ids.map((node) => types[node] as number);
        const rows = firstRows("relationConv", x, block.numDst);
        const options = { numRelations: numTypes, reduce: "sum" } as const;
        const product = relationConv({ ...selfBlock(ids), types: ofRows }, rows, weight.variable, options);
        return addActivate(product, gatherRows(reshape(bias.variable, [numTypes, outDim]), ofRows), "none");
      }),
  };
}
