import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { stackedLayers, stackedParameters, stackOptions, stackUsesDropout } from "./stacked-layers.ts";

const options = z.strictObject(stackOptions);

/**
 * Graph convolutional network: Hᵏ⁺¹ = act(D̂^-1/2·(A + I)·D̂^-1/2·Hᵏ·Wᵏ + bᵏ); no activation after the last layer.
 * Kipf and Welling 2017 (arXiv:1609.02907), equation 2. Edge weights are honoured.
 */
export const gcn = defineModel({
  name: "gcn",
  version: 1,
  title: "GCN",
  summary:
    "Each layer averages a node and its neighbours, weighted by their degrees; few parameters, strong on citations.",
  reference:
    "Kipf and Welling 2017, Semi-Supervised Classification with Graph Convolutional Networks, arXiv:1609.02907",
  options,
  numHops: ({ numLayers }) => numLayers,
  // Residuals read the node's own row, which the sum holds no more; batch statistics are counted by the training step.
  aggregation: ({ norm, residual }) => (norm === "batch" || residual ? null : "gcn"),
  hiddenFeats: ({ hiddenFeats }) => hiddenFeats,
  usesDropout: stackUsesDropout,
  readsEdgeWeights: () => true,
  numParameters: (chosen, shape) => stackedParameters(chosen, shape, (inDim, outDim) => inDim * outDim + outDim),
  create: (chosen, shape, nn) =>
    nn.sequential(
      stackedLayers(chosen, shape).map((layer) => nn.generalLayer(layer, nn.gcnConv)),
      { usesNeighbors: true, usesDegrees: true },
    ),
});
