import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { assertOnePerHop, layerWiseRowsPerSeed, onePerHop } from "./fanouts.ts";

/** The sampler of HGT: about as many nodes of every type, however unequal their numbers are. PyG: HGTLoader. */
export const hgSamplingSampler = defineSampler({
  name: "hgSampling",
  version: 1,
  title: "HGSampling",
  summary: "Draws a fixed number of nodes of every type per hop, by what they send to the nodes drawn so far.",
  reference: "Hu et al. 2020, Heterogeneous Graph Transformer, arXiv:2003.01332, algorithm 2",
  options: z.strictObject({
    nodesPerType: z
      .array(z.number().int().min(-1).max(10_000_000))
      .min(1)
      .max(16)
      .default([256, 256])
      .describe("Nodes of each type drawn per hop; the first is the hop from the seeds; -1 takes all in-neighbours"),
  }),
  rowsPerSeed: ({ nodesPerType }, meanDegree, numHops, numSeeds, numNodeTypes) =>
    layerWiseRowsPerSeed(
      nodesPerType.map((size) => (size < 0 ? size : size * numNodeTypes)),
      meanDegree,
      numHops,
      numSeeds,
    ),
  check: (options, numHops) => onePerHop("nodesPerType", options.nodesPerType, numHops),
  keepsEdgeTypes: () => true,
  create: async ({ nodesPerType }, { graph, numHops, seed }) => {
    assertOnePerHop("nodesPerType", nodesPerType, numHops);
    const { createHgSampler } = await import("./hg-blocks.ts");
    return createHgSampler({ graph, nodesPerType, seed });
  },
});
