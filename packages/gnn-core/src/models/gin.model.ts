import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { stackedLayers, stackedParameters, stackOptions, stackUsesDropout } from "./stacked-layers.ts";

const options = z.strictObject({
  ...stackOptions,
  epsilon: z
    .number()
    .min(-1)
    .max(10)
    .default(0)
    .describe("Extra weight of the node itself; where it starts if learned"),
  learnEpsilon: z.boolean().default(true).describe("Learn that weight, one per layer"),
  jumpingKnowledge: z
    .boolean()
    .default(false)
    .describe("Reads the features and the rows of every layer, each through a weight, and not the last layer's alone"),
});

/**
 * Graph isomorphism network: hᵏ⁺¹_v = act(MLPᵏ((1 + εᵏ)·hᵏ_v + Σ_{u ∈ N(v)} hᵏ_u)), an MLP of two layers per hop as
 * wide as the hidden layers; no activation after the last. Xu et al. 2019 (arXiv:1810.00826), equation 4.1. With
 * `jumpingKnowledge` a sum of linear maps of h⁰ … hᴷ, all of them activated, takes the place of hᴷ: section 4.2.
 */
export const gin = defineModel({
  name: "gin",
  version: 1,
  title: "GIN",
  summary: "Each layer adds up the neighbours and passes the sum through a small MLP; tells apart what means confuse.",
  reference: "Xu et al. 2019, How Powerful are Graph Neural Networks?, arXiv:1810.00826",
  options,
  numHops: ({ numLayers }) => numLayers,
  hiddenFeats: ({ hiddenFeats, jumpingKnowledge }, { outDim }) => hiddenFeats + (jumpingKnowledge ? outDim : 0),
  usesDropout: stackUsesDropout,
  readsEdgeWeights: () => true,
  numParameters: (chosen, shape) => {
    const ofConv = (inDim: number, outDim: number) =>
      (inDim + 1) * chosen.hiddenFeats + (chosen.hiddenFeats + 1) * outDim + (chosen.learnEpsilon ? 1 : 0);
    if (!chosen.jumpingKnowledge) return stackedParameters(chosen, shape, ofConv);
    const { hiddenFeats, numLayers } = chosen;
    const ofJumps = (shape.inDim + numLayers * hiddenFeats + 1) * shape.outDim;
    return ofJumps + stackedParameters(oneMore(chosen), shape, (...dims) => (dims[2] ? 0 : ofConv(dims[0], dims[1])));
  },
  create: (chosen, shape, nn) => {
    const { hiddenFeats, activation, epsilon, learnEpsilon, jumpingKnowledge, numLayers } = chosen;
    const stack = jumpingKnowledge ? stackedLayers(oneMore(chosen), shape).slice(0, numLayers) : null;
    const layers = (stack ?? stackedLayers(chosen, shape)).map((layer) =>
      nn.generalLayer({ ...layer, mlpDim: hiddenFeats, mlpActivation: activation, epsilon, learnEpsilon }, nn.ginConv),
    );
    return nn.sequential(stack ? nn.jumpingLayers(layers, shape) : layers, { usesNeighbors: true, usesDegrees: true });
  },
});

/** With a layer behind, so that all that are asked for are hidden ones: normalised and activated. */
function oneMore<C extends { readonly numLayers: number }>(chosen: C): C {
  return { ...chosen, numLayers: chosen.numLayers + 1 };
}
