import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { assertOnePerHop, layerSizes, layerWiseRowsPerSeed, onePerHop } from "./fanouts.ts";

/** Layer-wise sampling among the in-neighbours of the layer above. */
export const ladiesSampler = defineSampler({
  name: "ladies",
  version: 1,
  title: "LADIES",
  summary: "Draws the nodes of a layer at once among the neighbours of the layer above, by what they send to it.",
  reference: "Zou et al. 2019, Layer-Dependent Importance Sampling, arXiv:1911.07323",
  options: z.strictObject({
    layerSizes,
    replace: z.boolean().default(false).describe("Draw with replacement"),
    normalize: z
      .boolean()
      .default(true)
      .describe("Let the importance of a node's edges add up to its degree (Hájek): less variance, a slight bias"),
  }),
  rowsPerSeed: (options, meanDegree, numHops, numSeeds) =>
    layerWiseRowsPerSeed(options.layerSizes, meanDegree, numHops, numSeeds),
  check: (options, numHops) => onePerHop("layerSizes", options.layerSizes, numHops),
  readsEdgeWeights: () => true,
  create: async (options, { graph, numHops, seed }) => {
    assertOnePerHop("layerSizes", options.layerSizes, numHops);
    const { createLadiesSampler } = await import("./layer-wise-blocks.ts");
    return createLadiesSampler({ ...options, graph, seed });
  },
});
