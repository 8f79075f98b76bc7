import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { assertOnePerHop, fanouts, onePerHop, rowsPerSeed } from "./fanouts.ts";

/** Node-wise sampling with shared random numbers. DGL: LaborSampler with its list reversed. */
export const laborSampler = defineSampler({
  name: "labor",
  version: 1,
  title: "LABOR",
  summary: "Like neighbour sampling, but nodes that share neighbours draw the same ones: fewer rows per batch.",
  reference: "Balin and Çatalyürek 2023, Layer-Neighbor Sampling, arXiv:2210.13339",
  options: z.strictObject({
    fanouts,
    importanceSampling: z
      .number()
      .int()
      .min(-1)
      .max(50)
      .default(0)
      .describe("Rounds that fit the probabilities to the batch: fewer rows, more work; -1: until they stand still"),
    layerDependency: z.boolean().default(false).describe("Draw the same nodes at every hop where possible"),
    fixedSize: z
      .boolean()
      .default(false)
      .describe("Take exactly min(fanout, degree) of every node, instead of about so many on average"),
    normalize: z
      .boolean()
      .default(true)
      .describe("Let the importance of a node's edges add up to its degree (Hájek): less variance, a slight bias"),
  }),
  rowsPerSeed: (options, meanDegree, numHops) => rowsPerSeed(options.fanouts, meanDegree, numHops),
  check: (options, numHops) => onePerHop("fanouts", options.fanouts, numHops),
  create: async ({ importanceSampling: iterations, ...options }, { graph, numHops, seed }) => {
    assertOnePerHop("fanouts", options.fanouts, numHops);
    const { createLaborSampler } = await import("./labor-blocks.ts");
    return createLaborSampler({ ...options, iterations, graph, seed });
  },
});
