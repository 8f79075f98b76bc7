import { loadAddon } from "../../src/backends/native/addon.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import type { PartitionInput } from "../../src/partition/partitioner.ts";
import type { Edges } from "./graphs.ts";

/** What a partitioner gets for these edges, balanced on nodes. */
export async function partitionInput(
  numNodes: number,
  edges: Edges,
  numParts: number,
  seed: number,
): Promise<PartitionInput> {
  const graph = await graphFromEdges({ ...edges, numNodes });
  const [part] = graph.parts;
  return {
    numNodes,
    numParts,
    inEdges: { indptr: part!.indptr, indices: part!.indices },
    adjacency: () => loadAddon().symmetrize(part!.indptr, part!.indices),
    nodeWeights: new Int32Array(numNodes).fill(1),
    numConstraints: 1,
    seed,
  };
}
