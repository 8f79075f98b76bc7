import type { Block } from "../../graph/block.ts";
import type { EdgesByDst } from "../../graph/reverse-edges.ts";
import type { NativeBlock } from "./sparse-addon.ts";

declare const handle: unique symbol;
/** Native view of the arrays of a graph; keeps them alive. */
export type GraphHandle = { readonly [handle]: "graph" };
/** Native view of the segments of a feature matrix; keeps them alive. */
export type FeaturesHandle = { readonly [handle]: "features" };

export interface GraphHandlePart {
  readonly firstNode: number;
  readonly numNodes: number;
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  readonly weights: Float32Array | null;
  readonly types?: Int32Array | null;
}

/** A block without some of its edges (native/include/gnn/sampling/edges_left.h). */
export interface EdgesLeft {
  /** int32 [numDst + 1] */
  readonly indptr: Int32Array;
  /** int32 [edges that are left] */
  readonly indices: Int32Array;
  /** int32 [edges that are left], where each was among all of them */
  readonly kept: Int32Array;
}

export interface CscFromCooResult {
  /** int64 [numNodes + 1] */
  readonly indptr: BigInt64Array;
  /** int32 [numEdges] src ids, ascending inside a column; ties in row order */
  readonly indices: Int32Array;
  /** uint32 [numEdges] row of the COO input that each kept edge came from */
  readonly edgeIds: Uint32Array;
  /** Input rows that repeat an earlier one, dropped or not */
  readonly numDuplicates: number;
  /** The first of them, or -1 */
  readonly firstDuplicate: number;
  readonly numSelfLoops: number;
}

/** float32 values, or their codes: binary16 in a Uint16Array, steps of the column's scale in an Int8Array. */
export type FeatureValues = Float32Array | Uint16Array | Int8Array;

export interface DenseSegment {
  readonly firstRow: number;
  /** [rows, dim] */
  readonly values: FeatureValues;
}

export interface CsrSegment {
  readonly firstRow: number;
  /** int64 [rows + 1] */
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  readonly values: FeatureValues;
}

export interface CsrRows {
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly values: Float32Array;
}

export interface PartMeasures {
  /** In-edges whose src lies in another part */
  readonly cutEdges: number;
  /** Distinct nodes outside the part within 1 … hops in-hops of it, one number per hop count */
  readonly haloNodes: readonly number[];
  /** Each type's own nodes, their in-edges, and its nodes within all hops outside; empty: nodes are alike */
  readonly types: readonly Readonly<Record<"nodes" | "edges" | "haloNodes", number>>[];
}

/**
 * Gathered rows, the indices null when they are dense; mean and scale (float32 [dim]) to standardize, null to normalize
 * rows.
 */
export type TransformArguments = [
  numRows: number,
  dim: number,
  indptr: Int32Array | null,
  indices: Int32Array | null,
  values: Float32Array,
  mean: Float32Array | null,
  scale: Float32Array | null,
];

/** Functions of the addon that hold, cut, sample and read graphs. Those with promises run on libuv's pool. */
export interface GraphAddon {
  /** Read-only mapping of a whole file; unmapped when the buffer is collected. Writing to it faults. */
  mapFile(path: string): ArrayBuffer;
  /** Shared writable mapping of `bytes` bytes; the file is made or resized as needed. */
  mapFileWritable(path: string, bytes: number): ArrayBuffer;
  /**
   * Zero-filled memory for large arrays, on huge pages where the system has them; unmapped when the buffer is
   * collected.
   */
  mapMemory(bytes: number): ArrayBuffer;
  /** Reads all pages of a mapped array now, or says that they will be read here and there. */
  adviseMapped(values: ArrayBufferView, resident: boolean): Promise<void>;

  cscFromCoo(
    src: Int32Array,
    dst: Int32Array,
    numNodes: number,
    dropDuplicates: boolean,
    dropSelfLoops: boolean,
    bothDirections: boolean,
  ): Promise<CscFromCooResult>;

  /** @param isWhole false: the parts are those that one rank holds */
  createGraph(numNodes: number, parts: readonly GraphHandlePart[], isWhole: boolean): GraphHandle;
  /** Looks once through all of it: every column lies within its part, every edge begins at a node of the graph. */
  requireValidGraph(graph: GraphHandle): Promise<void>;
  /**
   * Where rows lie for a rank that has `count` of them from `first` on: its own, then cached ones, then those to fetch
   */
  placeRows(
    ids: Int32Array,
    first: number,
    count: number,
    slots: Int32Array | null,
    numCached: number,
    numRows: number,
  ): { readonly rows: Int32Array; readonly remote: Int32Array };
  /** How many of the rows such a rank has itself, and how many others among the cached ones */
  countRows(
    ids: Int32Array,
    first: number,
    count: number,
    slots: Int32Array | null,
  ): readonly [own: number, cached: number];
  /** Position of the first id outside [0, numRows), -1 without any */
  firstOutside(ids: Int32Array, numRows: number): number;
  /** The nodes whose in-edges are not in the graph's parts, in their order */
  foreignNodes(graph: GraphHandle, nodes: Int32Array): Int32Array;
  /** The block into `nodes`, from the parts and from what was drawn for the foreign nodes */
  sampleHop(
    graph: GraphHandle,
    nodes: Int32Array,
    fanout: number,
    replace: boolean,
    /** One for each relation; `fanout` is then what they come to together */
    ofRelations: Int32Array | null,
    indptr: Int32Array,
    entries: Int32Array,
    values: Float32Array | null,
    types: Int32Array | null,
    hop: number,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst>;
  sampleBlocks(
    graph: GraphHandle,
    seeds: Int32Array,
    fanouts: Int32Array,
    replace: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  /** Like sampleBlocks, with fanouts [hops · numRelations]: one for each relation and hop */
  sampleRelationBlocks(
    graph: GraphHandle,
    seeds: Int32Array,
    fanouts: Int32Array,
    numRelations: number,
    replace: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  /** Like sampleBlocks, in proportion to the edge weights; `importance`: with Block.importance */
  sampleWeightedBlocks(
    graph: GraphHandle,
    seeds: Int32Array,
    fanouts: Int32Array,
    replace: boolean,
    importance: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  sampleLaborBlocks(
    graph: GraphHandle,
    seeds: Int32Array,
    fanouts: Int32Array,
    iterations: number,
    oneDrawForAllHops: boolean,
    fixedSize: boolean,
    normalise: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  /** `distribution`: the result of fastgcnDistribution */
  sampleFastgcnBlocks(
    graph: GraphHandle,
    distribution: Float64Array,
    seeds: Int32Array,
    layerSizes: Int32Array,
    normalise: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  sampleLadiesBlocks(
    graph: GraphHandle,
    seeds: Int32Array,
    layerSizes: Int32Array,
    replace: boolean,
    normalise: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  /** HGSampling: perType [rounds] nodes of each type, which `nodeTypes` counts; null: all are of one */
  sampleHgBlocks(
    graph: GraphHandle,
    nodeTypes: Int32Array | null,
    numTypes: number,
    seeds: Int32Array,
    perType: Int32Array,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<EdgesByDst[]>;
  /** Reads the edges by dst alone */
  reverseEdges(block: NativeBlock): Block["reverse"];
  /** What is left without the edges between the nodes of each pair; null: all of them */
  edgesLeft(block: NativeBlock, srcIds: Int32Array, src: Int32Array, dst: Int32Array): EdgesLeft | null;
  /** Prefix sums of the probability of every node, float64 [numNodes] */
  fastgcnDistribution(graph: GraphHandle): Promise<Float64Array>;
  /** For each part, who sends to its nodes when edges are reversed, or (`both`) go both ways */
  messageGraph(graph: GraphHandle, both: boolean): Promise<Omit<GraphHandlePart, "firstNode" | "numNodes">[]>;
  /** All in-neighbours of the nodes [firstNode, firstNode + numNodes) */
  fullBlock(graph: GraphHandle, firstNode: number, numNodes: number): Promise<EdgesByDst>;
  /** The in-edges of these nodes, with one src row per edge behind the dst rows */
  edgeBlock(graph: GraphHandle, firstNode: number, numNodes: number): Promise<EdgesByDst>;

  /**
   * Row i of out [nodes, dim] = mean of the rows of node i's in-neighbours, 0 without any; or, `besideOwn`, of
   * out [nodes, 2·dim] = the node's row, then that mean. Features: dense float32, a row per node.
   */
  neighborMeans(
    graph: GraphHandle,
    features: FeaturesHandle,
    nodes: Int32Array,
    besideOwn: boolean,
    out: Float32Array,
  ): Promise<void>;
  /** The nodes [firstNode, firstNode + numNodes) in clusters of up to `mostNodes`; ascending where there are none */
  clusterOrder(graph: GraphHandle, firstNode: number, numNodes: number, mostNodes: number): Promise<Int32Array>;
  /** out[rows[i]] = values[i], rows of `dim` numbers, no row twice */
  putRows(values: Float32Array, dim: number, rows: Int32Array, out: Float32Array): void;

  /** Sum of the weights of each node's in-edges (their number without weights) in the whole graph */
  inDegrees(graph: GraphHandle, nodes: Int32Array): Promise<Float32Array>;

  /** The values of all segments are of one type; `scale` and `offset` (float32 [dim]) belong to int8. */
  createDenseFeatures(
    numRows: number,
    dim: number,
    segments: readonly DenseSegment[],
    scale: Float32Array | null,
    offset: Float32Array | null,
  ): FeaturesHandle;
  createCsrFeatures(
    numRows: number,
    dim: number,
    segments: readonly CsrSegment[],
    scale: Float32Array | null,
    offset: Float32Array | null,
  ): FeaturesHandle;
  gatherDense(features: FeaturesHandle, ids: Int32Array): Float32Array;
  gatherDenseAsync(features: FeaturesHandle, ids: Int32Array): Promise<Float32Array>;
  gatherCsr(features: FeaturesHandle, ids: Int32Array): CsrRows;
  gatherCsrAsync(features: FeaturesHandle, ids: Int32Array): Promise<CsrRows>;
  /** Changes the values in place; the asynchronous one when its promise settles */
  transformRows(...rows: TransformArguments): void;
  transformRowsAsync(...rows: TransformArguments): Promise<void>;
  /** Rounds to binary16, ties to even; returns the position of the first value that does not fit, or -1 */
  encodeHalf(values: Float32Array, codes: Uint16Array): number;
  /** Rows [n, dim], or the entries of CSR rows in columns `indices` */
  encodeInt8(
    values: Float32Array,
    indices: Int32Array | null,
    scale: Float32Array,
    offset: Float32Array,
    codes: Int8Array,
  ): void;
  /** Widens the columns' ranges to the values; returns the position of the first that is not finite, or -1 */
  widenRanges(values: Float32Array, indices: Int32Array | null, low: Float32Array, high: Float32Array): number;

  /** Undirected adjacency without self-loops and repeats, in METIS' widths; PARTITION_TOO_LARGE at 2^31 entries */
  symmetrize(indptr: BigInt64Array, indices: Int32Array): Promise<{ xadj: Int32Array; adjncy: Int32Array }>;
  /** METIS in this process; `metis-process.ts` runs it in one of its own */
  metisPartition(
    xadj: Int32Array,
    adjncy: Int32Array,
    nodeWeights: Int32Array,
    numConstraints: number,
    numParts: number,
    recursive: boolean,
    minimizeVolume: boolean,
    seed: number,
  ): Promise<Int32Array>;
  /** Places nodes [firstNode, firstNode + count), writing to `assignment` and `loads`; returns how many moved */
  streamNodes(
    indptr: BigInt64Array,
    indices: Int32Array,
    nodeWeights: Int32Array,
    totals: Float64Array,
    numParts: number,
    assignment: Int32Array,
    loads: Float64Array,
    firstNode: number,
    count: number,
    tolerance: number,
    seed: number,
  ): Promise<number>;
  /**
   * The columns nodeMap[first … first + count) of a graph in NodeIndex order, with both ends relabelled
   *
   * @param types of the edges, which columns are sorted by before the GlobalIds of their sources
   */
  relabelColumns(
    indptr: BigInt64Array,
    indices: Int32Array,
    nodeMap: Int32Array,
    globalIds: Int32Array,
    first: number,
    count: number,
    types: Int32Array | null,
  ): Promise<{ indptr: BigInt64Array; indices: Int32Array; edgeMap: BigInt64Array }>;
  /** values[rows[i]] of `width` values each, row numbers as int64 (edge columns in relabelled order) */
  takeRows<T extends Float32Array | Int32Array>(values: T, width: number, rows: BigInt64Array): Promise<T>;
  /** @param types int32 [numNodes] by GlobalId, from 0 to numTypes − 1; null with 0: nodes are alike */
  measurePart(
    graph: GraphHandle,
    part: number,
    hops: number,
    types: Int32Array | null,
    numTypes: number,
  ): Promise<PartMeasures>;
}
