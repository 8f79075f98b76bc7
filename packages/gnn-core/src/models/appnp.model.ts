import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { layerDims } from "./layer-dims.ts";
import { stackOptions } from "./stacked-layers.ts";

const share = z.number().min(0).max(0.99);

const options = z.strictObject({
  hiddenFeats: stackOptions.hiddenFeats.default(64).describe("Width of the MLP's hidden layers"),
  mlpLayers: z.number().int().min(1).max(8).default(2).describe("Dense layers before the hops"),
  numHops: z.number().int().min(1).max(16).default(10).describe("Hops; the sampler needs a fanout for each"),
  alpha: z
    .number()
    .min(0.01)
    .max(1)
    .default(0.1)
    .describe("Probability of going back to the node itself: the smaller, the farther it sees"),
  activation: stackOptions.activation,
  dropout: stackOptions.dropout,
  inputDropout: stackOptions.inputDropout.describe(
    "Share of the features dropped in training; empty: the same as dropout",
  ),
  edgeDropout: share.default(0.5).describe("Share of the edges dropped in training, drawn anew in each hop"),
});

/**
 * Predict, then propagate: H = MLP(X); Z⁰ = H; Zᵏ⁺¹ = (1 − α)·Â·Zᵏ + α·H; logits = Zᴷ, Â = D̂^-1/2·(A + I)·D̂^-1/2. Any
 * number of hops adds no weight. Gasteiger et al. 2019 (arXiv:1810.05997), equation 4. Edge weights are honoured.
 */
export const appnp = defineModel({
  name: "appnp",
  version: 1,
  title: "APPNP",
  summary: "An MLP predicts each node by itself, then predictions spread over ten hops and keep coming back home.",
  reference:
    "Gasteiger, Bojchevski and Günnemann 2019, Predict then Propagate: Graph Neural Networks meet Personalized PageRank, arXiv:1810.05997",
  options,
  numHops: ({ numHops }) => numHops,
  hiddenFeats: ({ hiddenFeats }) => hiddenFeats,
  usesDropout: ({ dropout, inputDropout, edgeDropout }) => Math.max(dropout, inputDropout ?? 0, edgeDropout) > 0,
  readsEdgeWeights: () => true,
  numParameters: ({ hiddenFeats, mlpLayers }, shape) =>
    layerDims(shape, hiddenFeats, mlpLayers).reduce((sum, [inDim, outDim]) => sum + inDim * outDim + outDim, 0),
  create: ({ hiddenFeats, mlpLayers, inputDropout, dropout, ...rest }, shape, nn) =>
    nn.appnp({
      ...rest,
      dims: layerDims(shape, hiddenFeats, mlpLayers),
      outDim: shape.outDim,
      seed: shape.seed,
      dropout,
      inputDropout: inputDropout ?? dropout,
    }),
});
