import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { requireSameWidth } from "./same-width.ts";

const weight = z.number().min(-1e6).max(1e6);

const options = z.strictObject({
  iterationWeights: z
    .array(weight)
    .min(1)
    .max(8)
    .default([0, 0, 1, 1])
    .describe("What the means over 1, 2 … hops weigh in the sum; as many as there are weights"),
  ownWeight: weight
    .default(0)
    .describe("What a node's own random row weighs beside them; above 0 two nodes of one neighbourhood differ"),
  normalizationStrength: z
    .number()
    .min(-1)
    .max(1)
    .default(0)
    .describe("Random rows are multiplied by their node's degree to this power: below 0 hubs count less"),
  normalizeHops: z
    .boolean()
    .default(true)
    .describe("Whether each hop's row is brought to length 1 before it is weighed"),
});

/**
 * FastRP: Σ_k α_k·(D⁻¹A)^k·L·R, R a very sparse random projection and L = (D/d̄)^β. Nothing is learnt. Chen et al. 2019
 * (arXiv:1908.11512), Algorithm 1; with `normalizeHops` as Neo4j's Graph Data Science. Edge weights are honoured.
 */
export const fastRp = defineModel({
  name: "fastRp",
  version: 1,
  title: "FastRP (random projections)",
  summary: "Random rows that are averaged over the hops around each node, by given weights: nothing is learnt.",
  reference:
    "Chen et al. 2019, Fast and Accurate Network Embeddings via Very Sparse Random Projection, arXiv:1908.11512",
  options,
  numHops: ({ iterationWeights }) => iterationWeights.length,
  // Rows between hops are twice as wide: what was summed so far stands beside.
  hiddenFeats: ({ iterationWeights }, { outDim }) => (iterationWeights.length === 1 ? outDim : 2 * outDim),
  readsFeatures: false,
  randomRows: ({ normalizationStrength }) => ({ normalizationStrength }),
  usesDropout: () => false,
  readsEdgeWeights: () => true,
  numParameters: () => 0,
  create: ({ iterationWeights: weights, ownWeight, normalizeHops }, { inDim, outDim }, nn) => {
    requireSameWidth("fastRp", { inDim, outDim });
    return nn.sequential(
      weights.map((_, index) => nn.fastRpHop({ index, dim: outDim, weights, ownWeight, normalizeHops })),
      { usesNeighbors: true },
    );
  },
});
