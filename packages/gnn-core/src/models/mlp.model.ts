import { z } from "zod";
import { activations } from "../nn/activations.ts";
import { defineModel } from "../spec/define-model.ts";
import { layerDims } from "./layer-dims.ts";

const options = z.strictObject({
  hiddenFeats: z.number().int().min(1).max(8192).default(256).describe("Width of the hidden layers and embeddings"),
  numLayers: z.number().int().min(1).max(8).default(2).describe("Dense layers"),
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

/** Multi-layer perceptron on each node's own features: what the graph adds is what a GNN gains over it. */
export const mlp = defineModel({
  name: "mlp",
  version: 1,
  title: "MLP (no edges)",
  summary: "Dense layers on each node's own features; the baseline that shows what the edges are worth.",
  options,
  numHops: () => 0,
  numParameters: ({ hiddenFeats, numLayers }, shape) =>
    layerDims(shape, hiddenFeats, numLayers).reduce((sum, [inDim, outDim]) => sum + inDim * outDim + outDim, 0),
  create: ({ hiddenFeats, numLayers, activation, dropout, inputDropout }, shape, nn) =>
    nn.sequential(
      layerDims(shape, hiddenFeats, numLayers).map(([inDim, outDim], index) =>
        nn.linear({
          index,
          inDim,
          outDim,
          seed: shape.seed,
          activation: index === numLayers - 1 ? "none" : activation,
          dropout: index === 0 ? (inputDropout ?? dropout) : dropout,
        }),
      ),
      { usesNeighbors: false },
    ),
});
