import type { FeatureStore } from "../features/feature-store.ts";

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
  /**
   * int32 [numEdges], the relation of every edge: columns are sorted by it, then by GlobalId. Left out or null: all
   * edges are alike.
   */
  readonly types?: Int32Array | null;
}

/** A graph as consecutive parts; an unpartitioned graph has one. */
export interface CscGraph {
  readonly device: "cpu";
  readonly numNodes: number;
  readonly numEdges: number;
  /** Names of the relations that `types` of the parts count; left out: there are none */
  readonly relations?: readonly string[];
  /** Types of the nodes, by GlobalId; left out: all are alike */
  readonly nodeTypes?: NodeTypes;
  /** All parts, or with `remote` those that this rank holds, at least one */
  readonly parts: readonly CscPart[];
  /** The in-edges of the nodes whose parts other ranks hold; left out: all parts are here */
  readonly remote?: RemoteGraph;
}

export interface NodeTypes {
  readonly names: readonly string[];
  /** int32 [numNodes], an index into `names` */
  readonly codes: Int32Array;
  /** Columns of the features that hold those of each type; left out: all types have the same columns */
  readonly columns?: readonly TypeRange[];
  /** Learned rows of a model for nodes of types without columns; left out: each has one, in the order of GlobalIds */
  readonly learned?: LearnedRowsOfTypes;
}

export interface LearnedRowsOfTypes {
  /** int32 by GlobalId, −1: the model has none of the node; nodes behind its end have none */
  readonly rowOf: Int32Array;
  /** How many rows the model has, be they of nodes of this graph or not */
  readonly count: number;
}

/** Columns [first, first + dim); `dim` 0: there are none */
export interface TypeRange {
  readonly first: number;
  readonly dim: number;
}

/** Consecutive GlobalIds [first, first + count) */
export interface NodeRange {
  readonly first: number;
  readonly count: number;
}

/** Which draw it is: equal keys give equal draws from a node's in-edges, on whatever rank. */
export interface DrawKey {
  readonly seed: number;
  readonly epoch: number;
  readonly step: number;
  /** 0 is the hop from the seeds */
  readonly hop: number;
}

export interface ListDraw extends DrawKey {
  /** Entries drawn from each list; negative: all of it */
  readonly fanout: number;
  readonly replace: boolean;
  /** From the entries of this relation alone, in lists sorted by them; left out: from whole lists */
  readonly relation?: number;
}

/** The draw that keeps all of every list, in its order. */
export const wholeLists: ListDraw = { fanout: -1, replace: false, seed: 0, epoch: 0, step: 0, hop: 0 };

/** What was drawn from lists, list after list in the order asked for; of a graph sources and weights of in-edges. */
export interface DrawnLists {
  /** int32 [lists + 1] */
  readonly indptr: Int32Array;
  /** int32, in the order of the list */
  readonly entries: Int32Array;
  /** float32 [entries]; null when the lists have none */
  readonly values: Float32Array | null;
  /** int32 [entries], of a graph the relation of each in-edge; left out or null: all edges are alike */
  readonly types?: Int32Array | null;
}

/** The part of a graph that lies with other ranks, asked of their owners in batches. */
export interface RemoteGraph {
  /** The nodes whose in-edges are here */
  readonly own: NodeRange;
  /** In-edges of any nodes */
  drawInEdges(nodes: Int32Array, draw: ListDraw): Promise<DrawnLists>;
  /** float32 [nodes]: as `inDegrees` of sampling, of any nodes */
  inDegrees(nodes: Int32Array): Promise<Float32Array>;
  /** Rows of computed values, the same for the same name and width. Every rank calls it alike. */
  rows(name: string, dim: number): Promise<PartitionedRows>;
}

/** Rows of all nodes, each with the rank that holds the node. */
export interface PartitionedRows {
  /** float32 [own.count, dim]: this rank's, to be written while no other reads: between barriers */
  readonly local: Float32Array;
  /** Rows of any nodes */
  readonly features: FeatureStore;
  /** @param into float32 [numNodes, dim] */
  readAll(into: Float32Array): Promise<void>;
}
