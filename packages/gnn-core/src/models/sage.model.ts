import { z } from "zod";
import { activations } from "../nn/activations.ts";
import { defineModel } from "../spec/define-model.ts";
import { layerDims } from "./layer-dims.ts";

const options = z.strictObject({
  aggregator: z.enum(["mean"]).default("mean").describe("How a node sums up its neighbours"),
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
 * GraphSAGE with mean aggregation.
 *   h⁰_v = x_v;  hᵏ_v = act(W_selfᵏ·hᵏ⁻¹_v + W_neighᵏ·mean{ hᵏ⁻¹_u : u ∈ N(v) } + bᵏ);  no activation after the last
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, without the normalisation of line 7.
 */
export const sage = defineModel({
  name: "sage",
  version: 1,
  title: "GraphSAGE",
  summary: "Each layer mixes a node's own vector with the mean of its neighbours'; the default for large graphs.",
  reference: "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs, arXiv:1706.02216",
  options,
  numHops: ({ numLayers }) => numLayers,
  numParameters: ({ hiddenFeats, numLayers }, shape) =>
    layerDims(shape, hiddenFeats, numLayers).reduce((sum, [inDim, outDim]) => sum + 2 * inDim * outDim + outDim, 0),
  create: ({ hiddenFeats, numLayers, activation, dropout, inputDropout }, shape, nn) =>
    nn.sequential(
      layerDims(shape, hiddenFeats, numLayers).map(([inDim, outDim], index) =>
        nn.sageConv({
          index,
          inDim,
          outDim,
          seed: shape.seed,
          activation: index === numLayers - 1 ? "none" : activation,
          dropout: index === 0 ? (inputDropout ?? dropout) : dropout,
        }),
      ),
      { usesNeighbors: true },
    ),
});
