import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import { defineSampler, type SamplerObjection } from "../spec/define-sampler.ts";

const fanout = z.number().int().min(-1).max(100_000);

/** Node-wise neighbour sampling; DGL: NeighborSampler with its list reversed. PyG: NeighborLoader's num_neighbors. */
export const neighborSampler = defineSampler({
  name: "neighbor",
  version: 1,
  title: "Neighbour sampling",
  summary: "Draws at most fanout in-neighbours of every node, hop by hop.",
  reference: "Hamilton et al. 2017, arXiv:1706.02216",
  options: z.strictObject({
    fanouts: z
      .array(fanout)
      .min(1)
      .max(16)
      .default([15, 10])
      .describe("In-neighbours per hop; the first is the hop from the seeds; -1 takes all"),
    replace: z.boolean().default(false).describe("Draw with replacement"),
    edgeDir: z.literal("in").default("in").describe("Follow edges from dst to src"),
  }),
  rowsPerSeed: ({ fanouts }, meanDegree, numHops) =>
    rowsPerSeed(
      Array.from({ length: numHops }, (_, hop) => fanouts[hop] ?? 0),
      meanDegree,
    ),
  check: ({ fanouts }, numHops) => objectionTo(fanouts, numHops),
  create: async ({ fanouts, replace }, { graph, numHops, seed }) => {
    const objection = objectionTo(fanouts, numHops);
    if (objection) {
      throw new GnnError("SPEC_INVALID", objection.message, { place: { pointer: "/sampling/options/fanouts" } });
    }
    const { createBlockSampler } = await import("./block-sampler.ts");
    return createBlockSampler({ graph, fanouts, replace, seed });
  },
});

function objectionTo(fanouts: readonly number[], numHops: number): SamplerObjection | null {
  if (fanouts.length === numHops) return null;
  const message = `fanouts has ${fanouts.length} entries and the model ${numHops} hops; give one fanout per hop.`;
  return { option: "fanouts", message };
}

/** Expected rows of the input layer per seed, counting no node twice only within a column. */
export function rowsPerSeed(fanouts: readonly number[], meanDegree: number): number {
  return fanouts.reduce((rows, fanout) => rows * (1 + (fanout < 0 ? meanDegree : Math.min(fanout, meanDegree))), 1);
}
