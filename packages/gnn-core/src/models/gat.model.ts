import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { headCount, negativeSlope, requireSharedWidth } from "./attention-heads.ts";
import { stackedLayers, stackedParameters, stackOptions, stackUsesDropout } from "./stacked-layers.ts";

const share = z.number().min(0).max(0.99);

const fields = z.strictObject({
  ...stackOptions,
  hiddenFeats: stackOptions.hiddenFeats.describe("Width of hidden layers, all heads together"),
  heads: headCount
    .default(4)
    .describe("Attention heads of the hidden layers; must divide their width if they are concatenated"),
  merge: z
    .enum(["concat", "mean"])
    .default("concat")
    .describe("Heads of a hidden layer: side by side, sharing its width, or each as wide as the layer and averaged"),
  outHeads: headCount.default(1).describe("Attention heads of the last layer, which are averaged"),
  activation: stackOptions.activation.default("elu"),
  attentionDropout: share.default(0.5).describe("Share of the attention coefficients dropped in training"),
  projectionDropout: share
    .default(0)
    .describe("Share of the projected inputs dropped in training where they are summed, not where they are scored"),
  negativeSlope: negativeSlope(0.2),
});

const options = fields.superRefine(({ numLayers, merge, hiddenFeats, heads }, context) => {
  if (numLayers >= 2 && merge === "concat") requireSharedWidth(hiddenFeats, heads, context);
});

/**
 * Graph attention network: hidden layers concatenate their heads (or average them), the last one averages them.
 * Veličković et al. 2018 (arXiv:1710.10903), equations 5 and 6.
 */
export const gat = defineModel({
  name: "gat",
  version: 1,
  title: "GAT",
  summary: "Each node learns which neighbours to listen to; several attention heads side by side.",
  reference: "Veličković et al. 2018, Graph Attention Networks, arXiv:1710.10903",
  options,
  numHops: ({ numLayers }) => numLayers,
  hiddenFeats: ({ hiddenFeats }) => hiddenFeats,
  usesDropout: (chosen) => stackUsesDropout(chosen) || chosen.attentionDropout > 0 || chosen.projectionDropout > 0,
  readsEdgeWeights: () => false,
  messageCost: 5,
  numParameters: (chosen, shape) =>
    stackedParameters(chosen, shape, (inDim, outDim, isLast) => {
      const { heads, outHeads, merge } = chosen;
      const width = outDim * (isLast ? outHeads : merge === "mean" ? heads : 1);
      return inDim * width + 2 * width + outDim;
    }),
  create: (chosen, shape, nn) => {
    const { numLayers, merge } = chosen;
    return nn.sequential(
      stackedLayers(chosen, shape).map((layer) => {
        const isLast = layer.index === numLayers - 1;
        const attention = {
          ...layer,
          heads: isLast ? chosen.outHeads : chosen.heads,
          merge: isLast ? "mean" : merge,
          attentionDropout: chosen.attentionDropout,
          projectionDropout: chosen.projectionDropout,
          negativeSlope: chosen.negativeSlope,
        } as const;
        return nn.generalLayer(attention, nn.gatConv);
      }),
      { usesNeighbors: true },
    );
  },
});
