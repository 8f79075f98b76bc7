/**
 * One part of an in-edge CSC graph: the columns of inner nodes [firstNode, firstNode + numNodes),
 * entries are GlobalIds of their in-neighbours, ascending. Usually mapped from disk and shared by all ranks of a host.
 */
export interface CscPart {
  readonly firstNode: number;
  readonly numNodes: number;
  /** int64 [numNodes + 1], local edge offsets; never read per element in JavaScript */
  readonly indptr: BigInt64Array;
  /** int32 [numEdges] GlobalIds */
  readonly indices: Int32Array;
  /** float32 [numEdges] */
  readonly weights: Float32Array | null;
}

/** A whole graph as consecutive parts; an unpartitioned graph has one. */
export interface CscGraph {
  readonly device: "cpu";
  readonly numNodes: number;
  readonly numEdges: number;
  readonly parts: readonly CscPart[];
}
