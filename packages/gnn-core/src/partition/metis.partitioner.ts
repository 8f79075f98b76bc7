import { z } from "zod";
import { definePartitioner } from "../spec/define-partitioner.ts";
import { balanceKinds, partitionerOptions } from "./partitioner-options.ts";

// Measured on 1M nodes and 31M directed entries: 1.9 GB at the peak, the adjacency included.
const bytesPerEdge = 56;
const bytesPerNode = 160;

/** Multilevel k-way partitioning by METIS 5.1 (32-bit indices). DGL: partition_graph(part_method="metis"). */
export const metisPartitioner = definePartitioner({
  name: "metis",
  version: 1,
  title: "METIS",
  summary: "Multilevel k-way cut with few edges between parts, balanced on nodes, in-edges and training nodes.",
  reference: "Karypis and Kumar 1998, doi:10.1137/S1064827595287997",
  options: z.strictObject({
    ...partitionerOptions.shape,
    objective: z
      .enum(["cut", "volume"])
      .default("cut")
      .describe("What is made small: cut edges or communication volume"),
    balance: z
      .array(z.enum(balanceKinds))
      .default(["nodes", "inEdges", "train"])
      .describe("What every part gets an equal share of"),
  }),
  peakBytes: (numNodes, numEdges) => numNodes * bytesPerNode + numEdges * bytesPerEdge,
  assign: async (input, { objective }, signal) => {
    // Nothing to cut, or nothing that METIS could: it complains about more parts than nodes.
    if (input.numParts === 1) return new Int32Array(input.numNodes);
    if (input.numNodes <= input.numParts) return Int32Array.from({ length: input.numNodes }, (_, node) => node);
    const [{ loadAddon }, { native }] = await Promise.all([
      import("../backends/native/addon.ts"),
      import("../backends/native/native-error.ts"),
    ]);
    const { nodeWeights, numConstraints, numParts, seed } = input;
    const { xadj, adjncy } = await input.adjacency();
    signal.throwIfAborted();
    return native(() => loadAddon().metisKway(xadj, adjncy, nodeWeights, numConstraints, numParts, objective, seed));
  },
});
