import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { metisPartitioner } from "../partition/metis.partitioner.ts";

/**
 * Cuts the graph into clusters of about equally many nodes with few edges between them, by METIS.
 *
 * @returns int32 [numNodes], the cluster of each node in [0, numClusters); the same for equal seeds
 * @throws GnnError PARTITION_TOO_LARGE, PARTITION_FAILED
 */
export async function clusterGraph(graph: CscGraph, numClusters: number, seed: number): Promise<Int32Array> {
  const { numNodes } = graph;
  const options = metisPartitioner.options.parse({ numParts: numClusters, balance: ["nodes"], seed });
  const { indptr, indices } = wholeColumns(graph);
  const input = {
    numNodes,
    numParts: numClusters,
    inEdges: { indptr, indices },
    adjacency: () => native(() => loadAddon().symmetrize(indptr, indices)),
    nodeWeights: new Int32Array(numNodes).fill(1),
    numConstraints: 1,
    seed,
  };
  return metisPartitioner.assign(input, options, new AbortController().signal);
}

/** The part of each node, int32 [numNodes]: the clusters that the job's partition has made already. */
export function partOfNodes({ numNodes, parts }: CscGraph): Int32Array {
  const partOf = new Int32Array(numNodes);
  for (const [index, part] of parts.entries()) {
    partOf.fill(index, part.firstNode, part.firstNode + part.numNodes);
  }
  return partOf;
}

/** All columns in one pair of arrays; a copy where the graph has several parts. */
function wholeColumns({ numNodes, numEdges, parts }: CscGraph): { indptr: BigInt64Array; indices: Int32Array } {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const indptr = new BigInt64Array(numNodes + 1);
  const indices = new Int32Array(numEdges);
  let firstEdge = 0;
  for (const part of parts) {
    const before = BigInt(firstEdge);
    for (let i = 0; i < part.numNodes; i++) indptr[part.firstNode + i + 1] = before + (part.indptr[i + 1] as bigint);
    indices.set(part.indices, firstEdge);
    firstEdge += part.indices.length;
  }
  return { indptr, indices };
}
