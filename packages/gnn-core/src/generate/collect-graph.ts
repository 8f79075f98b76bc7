import type { CscGraph } from "../graph/csc-graph.ts";
import { concatInt32 } from "../io/concat-arrays.ts";
import type { StepProgress } from "../io/step-progress.ts";
import { type DrawnGraph, drawColumns } from "./draw-columns.ts";
import { PairsInMemory } from "./pair-store.ts";

/** Small enough that the columns of a bucket stay in a core's cache while they are sorted. */
const keysPerBucket = 2 ** 19;

/** The drawn graph in memory; while it is made, about 28 bytes a pair and direction. */
export async function collectGraph(graph: DrawnGraph, progress: StepProgress): Promise<CscGraph> {
  const { numNodes, numPairs } = graph;
  const nodesPerBucket = Math.max(1, Math.ceil((numNodes * keysPerBucket) / (2 * numPairs + 1)));
  const store = new PairsInMemory(Math.ceil(numNodes / nodesPerBucket));
  const buckets = { store, nodesPerBucket, drawsAtOnce: 2 ** 20 };
  const indptr = new BigInt64Array(numNodes + 1);
  const pieces: Int32Array[] = [];
  for await (const { firstNode, indptr: offsets, indices } of drawColumns(graph, buckets, progress)) {
    indptr.set(offsets, firstNode);
    pieces.push(indices);
  }
  await store.close();
  const indices = concatInt32(pieces);
  const part = { firstNode: 0, numNodes, indptr, indices, weights: null };
  return { device: "cpu", numNodes, numEdges: indices.length, parts: [part] };
}
