import type { GraphHandle } from "./graph-addon.ts";

export interface SubgraphArrays {
  /** int64 [nodes.length + 1] */
  readonly indptr: BigInt64Array;
  /** int32 [numEdges] positions in `nodes`, ascending inside a column */
  readonly indices: Int32Array;
  /** float32 [numEdges] when the graph has edge weights */
  readonly weights: Float32Array | null;
}

/** Subgraphs of chosen nodes (native/binding/cluster_binding.cc). */
export interface ClusterAddon {
  /** The edges with both ends among the nodes (ascending, each once); runs on libuv's pool */
  inducedSubgraph(graph: GraphHandle, nodes: Int32Array): Promise<SubgraphArrays>;
}
