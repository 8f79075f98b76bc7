/** The undirected graph without self-loops and repeats, in METIS' own widths. */
export interface Adjacency {
  /** int32 offsets [numNodes + 1] */
  readonly xadj: Int32Array;
  /** int32 neighbours, ascending; every edge from both ends */
  readonly adjncy: Int32Array;
}

/** How far a partitioner has come in one of its phases. */
export type PartitionProgress = (phase: string, completed: number, total: number, unit: string) => void;

/** What a partitioner sees: the graph, and the weights to balance. */
export interface PartitionInput {
  readonly numNodes: number;
  readonly numParts: number;
  /** The graph as it is stored: in-edge CSC, int64 [numNodes + 1] and int32 [numEdges] */
  readonly inEdges: { readonly indptr: BigInt64Array; readonly indices: Int32Array };
  /**
   * The symmetrised adjacency, made when asked for: a partitioner that ignores edges has no limit on them.
   * @throws GnnError PARTITION_TOO_LARGE from 2^31 entries on
   */
  readonly adjacency: () => Promise<Adjacency>;
  /**
   * int32 [numNodes * numConstraints], row-major: one weight per node and balance constraint; every column has a
   * positive sum
   */
  readonly nodeWeights: Int32Array;
  readonly numConstraints: number;
  readonly seed: number;
  readonly onProgress?: PartitionProgress;
}
