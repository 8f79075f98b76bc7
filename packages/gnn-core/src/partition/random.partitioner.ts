import { definePartitioner } from "../components/define-partitioner.ts";
import { keyedOrder } from "../random/keyed-order.ts";
import { partitionerOptions } from "./partitioner-options.ts";

/** Ignores the edges: the baseline that any cut is measured against, and the way out for graphs beyond METIS. */
export const randomPartitioner = definePartitioner({
  name: "random",
  version: 1,
  title: "Random",
  summary: "Equal numbers of nodes per part, drawn at random; every part then reads mostly from the others.",
  options: partitionerOptions,
  peakBytes: (numNodes) => numNodes * 24,
  assign: async ({ numNodes, numParts, seed }) => {
    const assignment = new Int32Array(numNodes);
    const order = keyedOrder(Int32Array.from(assignment.keys()), seed);
    for (let i = 0; i < numNodes; i++) assignment[order[i]!] = Math.floor((i * numParts) / numNodes);
    return assignment;
  },
});
