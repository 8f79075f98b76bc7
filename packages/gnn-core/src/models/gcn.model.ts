import { z } from "zod";
import { activations } from "../nn/activations.ts";
import { defineModel } from "../spec/define-model.ts";
import { layerDims } from "./layer-dims.ts";

const options = z.strictObject({
  hiddenFeats: z.number().int().min(1).max(8192).default(256).describe("Width of the hidden layers and embeddings"),
  numLayers: z.number().int().min(1).max(8).default(2).describe("Hops; the sampler needs a fanout for each"),
  activation: z.enum(activations).default("relu").describe("Between layers"),
  dropout: z.number().min(0).max(0.99).default(0.5).describe("Share of each hidden layer's input dropped in training"),
  inputDropout: z
    .number()
    .min(0)
    .max(0.99)
    .nullable()
    .default(null)
    .describe("Share of the features dropped in training; empty: the same as dropout"),
});

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
  numParameters: ({ hiddenFeats, numLayers }, shape) =>
    layerDims(shape, hiddenFeats, numLayers).reduce((sum, [inDim, outDim]) => sum + inDim * outDim + outDim, 0),
  create: ({ hiddenFeats, numLayers, activation, dropout, inputDropout }, shape, nn) =>
    nn.sequential(
      layerDims(shape, hiddenFeats, numLayers).map(([inDim, outDim], index) =>
        nn.gcnConv({
          index,
          inDim,
          outDim,
          seed: shape.seed,
          activation: index === numLayers - 1 ? "none" : activation,
          dropout: index === 0 ? (inputDropout ?? dropout) : dropout,
        }),
      ),
      { usesNeighbors: true, usesDegrees: true },
    ),
});
