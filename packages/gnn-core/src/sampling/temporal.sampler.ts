import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { assertOnePerHop, fanouts, onePerHop, rowsPerSeed } from "./fanouts.ts";

/** Neighbours from before a link, at every hop; PyG: NeighborLoader's time_attr and temporal_strategy. */
export const temporalSampler = defineSampler({
  name: "temporal",
  version: 1,
  title: "Neighbours from before",
  summary: "Links split by time: each is learnt from edges that are older than it, at every hop.",
  reference: "Rossi et al. 2020, arXiv:2006.10637",
  options: z.strictObject({
    fanouts,
    pick: z
      .enum(["uniform", "recent"])
      .default("uniform")
      .describe("Draw alike among all neighbours from before, or take the most recent ones"),
  }),
  rowsPerSeed: ({ fanouts: asked }, meanDegree, numHops) => rowsPerSeed(asked, meanDegree, numHops),
  check: (options, numHops) => onePerHop("fanouts", options.fanouts, numHops),
  needsTimes: true,
  create: async ({ fanouts: asked, pick }, { graph, numHops, seed, times }) => {
    assertOnePerHop("fanouts", asked, numHops);
    if (!times) throw refused("temporal draws from before the time of a link; learn links that are split by time");
    if (graph.parts.some(({ weights }) => weights)) {
      throw refused("temporal counts edges alike, and those of the graph have weights; map no column of weights");
    }
    const { createTemporalSampler } = await import("./temporal-blocks.ts");
    return createTemporalSampler({ edges: times, fanouts: asked, pick, seed });
  },
});

function refused(found: string): GnnError {
  const pointer = "/sampling/type";
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
