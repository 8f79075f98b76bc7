import { z } from "zod";
import { definePartitioner } from "../components/define-partitioner.ts";
import { metisBytes } from "./metis-limits.ts";
import { balanceOption, partitionerOptions } from "./partitioner-options.ts";

/**
 * Multilevel partitioning by METIS 5.1 (32-bit indices), in a process of its own. DGL:
 * partition_graph(part_method="metis").
 */
export const metisPartitioner = definePartitioner({
  name: "metis",
  version: 1,
  title: "METIS",
  summary: "Multilevel cut with few edges between parts, balanced on nodes, in-edges and training nodes.",
  reference: "Karypis and Kumar 1998, doi:10.1137/S1064827595287997",
  options: z
    .strictObject({
      ...partitionerOptions.shape,
      method: z
        .enum(["kway", "recursive"])
        .default("kway")
        .describe("kway: all parts at once; recursive: halves of halves, often more even for few parts"),
      objective: z
        .enum(["cut", "volume"])
        .default("cut")
        .describe("What is made small: cut edges or communication volume (kway only)"),
      balance: balanceOption.default(["nodes", "inEdges", "train"]),
    })
    .refine(({ method, objective }) => method === "kway" || objective === "cut", {
      path: ["objective"],
      error: "METIS makes the volume small with method kway only; choose kway, or the objective cut.",
    }),
  // As many entries as edges when both directions are stored; a directed graph has up to twice as many.
  peakBytes: (numNodes, numEdges) => metisBytes({ numNodes, numEntries: numEdges, numConstraints: 3 }),
  assign: async (input, { method, objective }, signal) => {
    // Nothing to cut, or nothing that METIS could: it complains about more parts than nodes.
    if (input.numParts === 1) return new Int32Array(input.numNodes);
    if (input.numNodes <= input.numParts) return Int32Array.from({ length: input.numNodes }, (_, node) => node);
    const { assignByMetis } = await import("./assign-by-metis.ts");
    return assignByMetis(input, method, objective, signal);
  },
});
