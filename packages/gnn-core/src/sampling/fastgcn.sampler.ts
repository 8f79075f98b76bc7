import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { assertOnePerHop, layerSizes, layerWiseRowsPerSeed, onePerHop } from "./fanouts.ts";

/** Layer-wise sampling from one distribution over the whole graph. */
export const fastgcnSampler = defineSampler({
  name: "fastgcn",
  version: 1,
  title: "FastGCN",
  summary: "Draws the nodes of a layer at once, by the norm of their column of the adjacency; for dense graphs.",
  reference: "Chen, Ma, Xiao 2018, FastGCN, arXiv:1801.10247",
  options: z.strictObject({
    layerSizes,
    normalize: z
      .boolean()
      .default(false)
      .describe("Let the importance of a node's edges add up to its degree (Hájek), instead of 1 / (size · q)"),
  }),
  rowsPerSeed: (options, meanDegree, numHops, numSeeds) =>
    layerWiseRowsPerSeed(options.layerSizes, meanDegree, numHops, numSeeds),
  check: (options, numHops) => onePerHop("layerSizes", options.layerSizes, numHops),
  readsEdgeWeights: () => true,
  create: async (options, { graph, numHops, seed }) => {
    assertOnePerHop("layerSizes", options.layerSizes, numHops);
    const { createFastGcnSampler } = await import("./layer-wise-blocks.ts");
    return createFastGcnSampler({ ...options, graph, seed });
  },
});
