import { GnnError } from "../errors/gnn-error.ts";
import { checkMetisMemory, checkMetisWeights } from "./metis-limits.ts";
import { type MetisRun, runMetis } from "./metis-process.ts";
import type { PartitionInput } from "./partitioner.ts";

/**
 * Refuses what METIS cannot hold, then runs it. Memory is checked by the stored edges before the undirected graph is
 * made, which has at least as many entries as there are distinct ones, and again by its true size.
 *
 * @throws GnnError PARTITION_TOO_LARGE, PARTITION_FAILED, SHAPE_MISMATCH
 */
export async function assignByMetis(
  input: PartitionInput,
  method: MetisRun["method"],
  objective: MetisRun["objective"],
  signal: AbortSignal,
): Promise<Int32Array> {
  const { numNodes, numParts, nodeWeights, numConstraints, seed, onProgress } = input;
  if (nodeWeights.length !== numNodes * numConstraints) {
    throw new GnnError("SHAPE_MISMATCH", "METIS needs one weight per node and balance constraint.");
  }
  checkMetisWeights(nodeWeights, numConstraints);
  checkMetisMemory({ numNodes, numEntries: input.inEdges.indices.length, numConstraints }, process.availableMemory());
  const graph = await input.adjacency();
  checkMetisMemory({ numNodes, numEntries: graph.adjncy.length, numConstraints }, process.availableMemory());
  return runMetis({
    graph,
    nodeWeights,
    numConstraints,
    numParts,
    method,
    objective,
    seed,
    signal,
    onLevel: ({ phase, nodes }) => {
      // A finished level of refinement is the whole graph at last; a coarse graph is what is left to shrink.
      const done = phase === "coarsen" ? numNodes - nodes : nodes;
      onProgress?.(phase === "coarsen" ? "METIS coarsens" : "METIS refines", done, numNodes, "nodes");
    },
  });
}
