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
});

/**
 * Graph isomorphism network: hᵏ⁺¹_v = act(MLPᵏ((1 + εᵏ)·hᵏ_v + Σ_{u ∈ N(v)} hᵏ_u)), an MLP of two layers per hop as
 * wide as the hidden layers; no activation after the last. Xu et al. 2019 (arXiv:1810.00826), equation 4.1.
 */
export const gin = defineModel({
  name: "gin",
  version: 1,
  title: "GIN",
  summary: "Each layer adds up the neighbours and passes the sum through a small MLP; tells apart what means confuse.",
  reference: "Xu et al. 2019, How Powerful are Graph Neural Networks?, arXiv:1810.00826",
  options,
  numHops: ({ numLayers }) => numLayers,
  hiddenFeats: ({ hiddenFeats }) => hiddenFeats,
  usesDropout: stackUsesDropout,
  readsEdgeWeights: () => true,
  numParameters: (chosen, shape) =>
    stackedParameters(
      chosen,
      shape,
      (inDim, outDim) =>
        (inDim + 1) * chosen.hiddenFeats + (chosen.hiddenFeats + 1) * outDim + (chosen.learnEpsilon ? 1 : 0),
    ),
  create: (chosen, shape, nn) => {
    const { hiddenFeats, activation, epsilon, learnEpsilon } = chosen;
    return nn.sequential(
      stackedLayers(chosen, shape).map((layer) =>
        nn.generalLayer(
          { ...layer, mlpDim: hiddenFeats, mlpActivation: activation, epsilon, learnEpsilon },
          nn.ginConv,
        ),
      ),
      { usesNeighbors: true, usesDegrees: true },
    );
  },
});
