import { definePartitioner } from "../components/define-partitioner.ts";
import { weightTotals } from "./balance-weights.ts";
import { balanceOption, partitionerOptions } from "./partitioner-options.ts";

/** Contiguous ranges of the nodes in their stored order, for graphs whose order already keeps neighbours together. */
export const rangePartitioner = definePartitioner({
  name: "range",
  version: 1,
  title: "Range",
  summary:
    "Nodes in the order they were uploaded, cut into contiguous ranges: for graphs whose order keeps neighbours together.",
  options: partitionerOptions.extend({
    balance: balanceOption
      .default(["nodes"])
      .describe("What the ranges share out; of several, the mean share is evened"),
  }),
  peakBytes: (numNodes) => numNodes * 24,
  assign: async ({ numNodes, numParts, nodeWeights, numConstraints }) => {
    const totals = weightTotals(nodeWeights, numConstraints);
    const assignment = new Int32Array(numNodes);
    let before = 0;
    for (let node = 0; node < numNodes; node++) {
      let share = 0;
      for (let c = 0; c < numConstraints; c++) share += nodeWeights[node * numConstraints + c]! / totals[c]!;
      share /= numConstraints;
      // The part in which the middle of the node's share lies.
      assignment[node] = Math.min(numParts - 1, Math.floor((before + share / 2) * numParts));
      before += share;
    }
    return assignment;
  },
});
