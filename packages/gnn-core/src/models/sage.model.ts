import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { sageAggregators } from "../nn/layer-choices.ts";
import { stackedLayers, stackedParameters, stackOptions, stackUsesDropout } from "./stacked-layers.ts";

const options = z.strictObject({
  aggregator: z
    .enum(sageAggregators)
    .default("mean")
    .describe(
      "How a node sums up its neighbours: their mean; the same beside its own row under one weight (concat); one mean of both (gcn); the maximum of a learned map (pool)",
    ),
  ...stackOptions,
  l2Normalize: z
    .boolean()
    .default(false)
    .describe("Scales every row of a hidden layer to length 1, as the paper's algorithm does"),
});

/**
 * GraphSAGE; with the aggregator mean
 *   h⁰_v = x_v;  hᵏ_v = act(W_selfᵏ·hᵏ⁻¹_v + W_neighᵏ·mean{ hᵏ⁻¹_u : u ∈ N(v) } + bᵏ);  no activation after the last
 * Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1; its line 7 is `l2Normalize`. The other aggregators:
 * nn/sage-conv.ts. The last layer gives logits, so it is not normalised.
 */
export const sage = defineModel({
  name: "sage",
  version: 1,
  title: "GraphSAGE",
  summary: "Each layer mixes a node's own vector with the mean of its neighbours'; the default for large graphs.",
  reference: "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs, arXiv:1706.02216",
  options,
  numHops: ({ numLayers }) => numLayers,
  // Batch statistics are counted by the training step, over the layers as they are.
  aggregation: ({ aggregator, norm }) =>
    norm !== "batch" && (aggregator === "mean" || aggregator === "concat") ? "mean" : null,
  hiddenFeats: ({ hiddenFeats }) => hiddenFeats,
  usesDropout: stackUsesDropout,
  readsEdgeWeights: ({ aggregator }) => aggregator === "gcn",
  numParameters: (chosen, shape) =>
    stackedParameters(chosen, shape, (inDim, outDim) => {
      const { aggregator, hiddenFeats } = chosen;
      if (aggregator === "gcn") return inDim * outDim + outDim;
      if (aggregator === "pool") return (inDim + 1) * hiddenFeats + (inDim + hiddenFeats + 1) * outDim;
      return 2 * inDim * outDim + outDim;
    }),
  create: (chosen, shape, nn) => {
    const { aggregator, hiddenFeats } = chosen;
    return nn.sequential(
      stackedLayers(chosen, shape).map((layer) =>
        nn.generalLayer({ ...layer, aggregator, poolDim: hiddenFeats }, nn.sageConv),
      ),
      { usesNeighbors: true, usesDegrees: aggregator === "gcn" },
    );
  },
});
