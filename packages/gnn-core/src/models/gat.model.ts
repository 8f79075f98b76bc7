import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import { defineModel } from "../spec/define-model.ts";
import { layerDims } from "./layer-dims.ts";
import { stackedLayers, stackOptions } from "./stacked-layers.ts";

const share = z.number().min(0).max(0.99);
const heads = z.number().int().min(1).max(64);

const options = z.strictObject({
  ...stackOptions,
  hiddenFeats: stackOptions.hiddenFeats.describe("Width of hidden layers, all heads together"),
  heads: heads.default(4).describe("Attention heads of the hidden layers; must divide their width"),
  outHeads: heads.default(1).describe("Attention heads of the last layer, which are averaged"),
  activation: stackOptions.activation.default("elu"),
  attentionDropout: share.default(0.5).describe("Share of the attention coefficients dropped in training"),
  negativeSlope: z.number().min(0).max(1).default(0.2).describe("Of the leaky ReLU on attention scores"),
});

/**
 * Graph attention network: hidden layers concatenate their heads, the last one averages them.
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
  numParameters: ({ hiddenFeats, outHeads, numLayers }, shape) =>
    layerDims(shape, hiddenFeats, numLayers).reduce((sum, [inDim, outDim], index) => {
      const width = index === numLayers - 1 ? outHeads * outDim : outDim;
      return sum + inDim * width + 2 * width + outDim;
    }, 0),
  create: (chosen, shape, nn) => {
    const { hiddenFeats, numLayers } = chosen;
    if (numLayers > 1 && hiddenFeats % chosen.heads !== 0) {
      throw new GnnError(
        "SPEC_INVALID",
        `hiddenFeats is ${hiddenFeats}, which ${chosen.heads} heads cannot share evenly; choose a multiple of the heads.`,
        { place: { pointer: "/model/options/hiddenFeats" } },
      );
    }
    return nn.sequential(
      stackedLayers(chosen, shape).map((layer) => {
        const isLast = layer.index === numLayers - 1;
        return nn.gatConv({
          ...layer,
          heads: isLast ? chosen.outHeads : chosen.heads,
          merge: isLast ? "mean" : "concat",
          attentionDropout: chosen.attentionDropout,
          negativeSlope: chosen.negativeSlope,
        });
      }),
      { usesNeighbors: true },
    );
  },
});
