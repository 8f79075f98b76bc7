/**
 * Which pairs of nodes are linked, as samplers of negatives and rankings ask: of any relation (`PairIndex`), or of the
 * one that is named (`TripleIndex`).
 */
export interface KnownPairs {
  readonly numNodes: number;
  /** Entries of all lists of targets together */
  readonly numEntries: number;
  has(src: number, dst: number, relation?: number): boolean;
  /** The targets of a node, ascending, each once; a view. */
  targetsOf(src: number, relation?: number): Int32Array;
  /** How many links end in each node, int32 [numNodes]; of an undirected graph, and of triples, either end counts. */
  degreesIn(): Int32Array;
}
