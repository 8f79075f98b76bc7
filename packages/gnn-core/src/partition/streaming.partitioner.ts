import { z } from "zod";
import { definePartitioner } from "../components/define-partitioner.ts";
import { weightTotals } from "./balance-weights.ts";
import { balanceOption, partitionerOptions } from "./partitioner-options.ts";

/** Between two of these cancelling is noticed and progress told. */
const nodesAtOnce = 1 << 17;

/**
 * Fennel's score over the nodes in stored order (Tsourakakis et al. 2014), with several balanced weights, repeated
 * `passes` times over the same stream (Nishimura and Ugander 2013). It reads the stored in-edges where they lie and
 * keeps 4 bytes a node, so it takes graphs of any number of edges. In a directed graph a node sees its in-neighbours
 * alone, which are the rows that its part will read.
 */
export const streamingPartitioner = definePartitioner({
  name: "streaming",
  version: 1,
  title: "Streaming",
  summary:
    "Places node after node beside its neighbours while parts fill evenly; memory does not grow with the edges. For graphs that METIS cannot hold.",
  reference: "Tsourakakis et al. 2014, doi:10.1145/2556195.2556213",
  options: z.strictObject({
    ...partitionerOptions.shape,
    balance: balanceOption.default(["nodes", "inEdges", "train"]),
    passes: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe("Times that the nodes are gone through; from the second on a node knows where all its neighbours are"),
    tolerance: z
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe("How much more than an equal share a part may hold of anything that is balanced"),
  }),
  peakBytes: (numNodes) => numNodes * 32,
  assign: async (input, { passes, tolerance }, signal) => {
    const { numNodes, numParts, nodeWeights, numConstraints, seed, onProgress } = input;
    const assignment = new Int32Array(numNodes);
    if (numParts === 1) return assignment;
    const [{ loadAddon }, { native }] = await Promise.all([
      import("../backends/native/addon.ts"),
      import("../backends/native/native-error.ts"),
    ]);
    const { indptr, indices } = input.inEdges;
    const totals = weightTotals(nodeWeights, numConstraints);
    const loads = new Float64Array(numParts * numConstraints);
    assignment.fill(-1);
    signal.throwIfAborted();
    for (let pass = 1; pass <= passes; pass++) {
      let moved = 0;
      for (let first = 0; first < numNodes; first += nodesAtOnce) {
        onProgress?.(`pass ${pass} of ${passes}`, first, numNodes, "nodes");
        const count = Math.min(nodesAtOnce, numNodes - first);
        moved += await native(() =>
          loadAddon().streamNodes(
            indptr,
            indices,
            nodeWeights,
            totals,
            numParts,
            assignment,
            loads,
            first,
            count,
            tolerance,
            seed,
          ),
        );
        signal.throwIfAborted();
      }
      if (moved === 0) break;
    }
    return assignment;
  },
});
