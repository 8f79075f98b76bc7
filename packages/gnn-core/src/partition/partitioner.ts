/** What a partitioner sees: the symmetrised, self-loop-free adjacency and the weights to balance. */
export interface PartitionInput {
  readonly numNodes: number;
  readonly numParts: number;
  /** int32 offsets [numNodes + 1] and neighbours of the undirected graph (METIS' own widths) */
  readonly xadj: Int32Array;
  readonly adjncy: Int32Array;
  /** int32 [numNodes * numConstraints], row-major: one weight per node and balance constraint */
  readonly nodeWeights: Int32Array;
  readonly numConstraints: number;
  readonly seed: number;
}
