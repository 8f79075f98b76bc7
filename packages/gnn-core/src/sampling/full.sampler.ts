import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";

/** No sampling: every in-neighbour, so that gradients have no sampling noise. For small or sparse graphs. */
export const fullSampler = defineSampler({
  name: "full",
  version: 1,
  title: "All neighbours",
  summary: "Takes every in-neighbour at every hop; exact, and large on dense graphs.",
  options: z.strictObject({}),
  rowsPerSeed: (_options, meanDegree, numHops) => (1 + meanDegree) ** numHops,
  takesAll: () => true,
  suitsEdges: () => true,
  drawsRemotely: () => true,
  keepsEdgeTypes: () => true,
  create: async (_options, { graph, numHops, seed }) => {
    const { createBlockSampler } = await import("./block-sampler.ts");
    return createBlockSampler({ graph, fanouts: Array.from({ length: numHops }, () => -1), replace: false, seed });
  },
});
