import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { requireSameWidth } from "./same-width.ts";

const options = z.strictObject({
  numHops: z.number().int().min(1).max(8).default(3).describe("Hops; the sampler needs a fanout for each"),
});

/**
 * LightGCN: the mean of E^0 … E^K, E^k+1 = D^-1/2·A·D^-1/2·E^k; no weights but the rows of the nodes, which are
 * learned. He et al. 2020 (arXiv:2002.02126), equations 3 and 4. Edge weights are honoured.
 */
export const lightGcn = defineModel({
  name: "lightGcn",
  version: 1,
  title: "LightGCN",
  summary: "Learned rows that are averaged over the hops around each node, without weights: for recommendation.",
  reference: "He et al. 2020, LightGCN: Simplifying and Powering Graph Convolution Network, arXiv:2002.02126",
  options,
  numHops: ({ numHops }) => numHops,
  // Rows between hops are twice as wide: what was summed so far stands beside.
  hiddenFeats: ({ numHops }, { outDim }) => (numHops === 1 ? outDim : 2 * outDim),
  readsFeatures: false,
  usesDropout: () => false,
  readsEdgeWeights: () => true,
  numParameters: () => 0,
  create: ({ numHops }, { inDim, outDim }, nn) => {
    requireSameWidth("lightGcn", { inDim, outDim });
    return nn.lightGcn({ dim: outDim, numHops });
  },
});
