import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { assertOnePerHop, fanouts, onePerHop, rowsPerSeed } from "./fanouts.ts";
import { relationObjection } from "./relation-fanouts.ts";

/** Node-wise neighbour sampling; DGL: NeighborSampler with its list reversed. PyG: NeighborLoader's num_neighbors. */
export const neighborSampler = defineSampler({
  name: "neighbor",
  version: 1,
  title: "Neighbour sampling",
  summary: "Draws at most fanout in-neighbours of every node, hop by hop.",
  reference: "Hamilton et al. 2017, arXiv:1706.02216",
  options: z.strictObject({
    fanouts,
    replace: z.boolean().default(false).describe("Draw with replacement"),
    edgeDir: z
      .enum(["in", "out", "both"])
      .default("in")
      .describe(
        "Whom a node hears from: nodes with an edge to it, nodes it has an edge to, or both; also in inference",
      ),
    probability: z
      .enum(["uniform", "weight"])
      .default("uniform")
      .describe("Draw neighbours alike, or in proportion to the edge weights"),
    reweight: z
      .boolean()
      .default(true)
      .describe("Drawing by weight: count each edge 1 / its probability, so that layers estimate the full sums"),
    perRelation: z
      .boolean()
      .default(false)
      .describe("Edges of several types: each fanout counts for every type of edge by itself, not for all together"),
    relationFanouts: z
      .record(z.string(), fanouts.removeDefault())
      .default({})
      .describe('Fanouts of single types of edges instead, by name, with perRelation: {"cites": [5, 2]}'),
  }),
  // How many relations there are is not known here: as many as a node has in-edges, at most.
  rowsPerSeed: ({ fanouts: asked, perRelation }, meanDegree, numHops) =>
    rowsPerSeed(perRelation ? asked.map(() => -1) : asked, meanDegree, numHops),
  check: (options, numHops) => onePerHop("fanouts", options.fanouts, numHops) ?? relationObjection(options, numHops),
  messageGraph: async ({ edgeDir }, graph) => (await import("../graph/message-graph.ts")).messageGraph(graph, edgeDir),
  edgesMade: ({ edgeDir }) => ({ in: 0, out: 1, both: 2 })[edgeDir],
  takesAll: ({ fanouts: asked, probability, perRelation }) =>
    probability === "uniform" && !perRelation && asked.every((fanout) => fanout < 0),
  suitsEdges: ({ probability }) => probability === "uniform",
  readsEdgeWeights: ({ probability }) => probability === "weight",
  drawsRemotely: ({ edgeDir, probability }) => edgeDir === "in" && probability === "uniform",
  drawsOnDevice: ({ fanouts, replace, probability, perRelation }) =>
    probability === "uniform" && !perRelation ? { fanouts, replace } : null,
  keepsEdgeTypes: ({ edgeDir, probability }) => edgeDir === "in" && probability === "uniform",
  create: async ({ probability, replace, reweight, perRelation, ...options }, { graph, numHops, seed }) => {
    assertOnePerHop("fanouts", options.fanouts, numHops);
    if (perRelation) {
      const { createRelationSampler } = await import("./relation-blocks.ts");
      const { fanouts, relationFanouts } = options;
      return createRelationSampler({ graph, fanouts, relationFanouts, replace, seed });
    }
    if (probability === "weight") {
      const { createWeightedSampler } = await import("./weighted-blocks.ts");
      return createWeightedSampler({ graph, fanouts: options.fanouts, replace, reweight, seed });
    }
    const { createBlockSampler } = await import("./block-sampler.ts");
    return createBlockSampler({ graph, fanouts: options.fanouts, replace, seed });
  },
});
