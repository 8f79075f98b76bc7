import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { stackedLayers, stackedParameters, stackOptions, stackUsesDropout } from "./stacked-layers.ts";

const options = z.strictObject({
  ...stackOptions,
  numLayers: stackOptions.numLayers.describe("Dense layers"),
});

/** Multi-layer perceptron on each node's own features: what the graph adds is what a GNN gains over it. */
export const mlp = defineModel({
  name: "mlp",
  version: 1,
  title: "MLP (no edges)",
  summary: "Dense layers on each node's own features; the baseline that shows what the edges are worth.",
  options,
  numHops: () => 0,
  hiddenFeats: ({ hiddenFeats }) => hiddenFeats,
  usesDropout: stackUsesDropout,
  readsEdgeWeights: () => false,
  numParameters: (chosen, shape) => stackedParameters(chosen, shape, (inDim, outDim) => inDim * outDim + outDim),
  create: (chosen, shape, nn) =>
    nn.sequential(
      stackedLayers(chosen, shape).map((layer) => nn.generalLayer(layer, nn.linear)),
      { usesNeighbors: false },
    ),
});
