import { z } from "zod";
import { defineModel } from "../spec/define-model.ts";
import { layerDims } from "./layer-dims.ts";
import { stackedLayers, stackOptions } from "./stacked-layers.ts";

const options = z.strictObject({
  aggregator: z.enum(["mean"]).default("mean").describe("How a node sums up its neighbours"),
  ...stackOptions,
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
  aggregation: ({ aggregator }) => (aggregator === "mean" ? "mean" : null),
  numParameters: ({ hiddenFeats, numLayers }, shape) =>
    layerDims(shape, hiddenFeats, numLayers).reduce((sum, [inDim, outDim]) => sum + 2 * inDim * outDim + outDim, 0),
  create: (chosen, shape, nn) =>
    nn.sequential(
      stackedLayers(chosen, shape).map((layer) => nn.sageConv(layer)),
      { usesNeighbors: true },
    ),
});
