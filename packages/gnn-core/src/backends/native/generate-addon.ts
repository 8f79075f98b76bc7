import type { GraphShape } from "../../generate/graph-shape.ts";

declare const handle: unique symbol;
/** A model of random pairs in native memory: what it draws is a function of its seed and the number of the draw. */
export type PairSourceHandle = { readonly [handle]: "pairs" };
/** A pair source that also knows classes and features of its nodes. */
export type BlockModelHandle = PairSourceHandle & { readonly blocks: never };

/**
 * Functions of the addon that make synthetic graphs (native/include/gnn/generate). Promises run on libuv's pool. A key
 * is dst · 2^32 + src; a bucket is the keys of a range of dst nodes.
 */
export interface GenerateAddon {
  createBlockModel(shape: Required<GraphShape>, seed: number): Promise<BlockModelHandle>;
  createRmat(scale: number, a: number, b: number, c: number, seed: number): PairSourceHandle;
  /** Draws [first, first + count) in both directions, grouped by bucket; `ends[b]` is the end of bucket b's keys. */
  drawPairs(
    source: PairSourceHandle,
    first: number,
    count: number,
    bucketNodes: number,
  ): Promise<{ keys: BigInt64Array; ends: Float64Array }>;
  /** Ascending keys without repeats, and how many pairs (src < dst) have a rank in each of 4,096 bins of 2^41 */
  distinctKeys(
    keys: BigInt64Array,
    firstNode: number,
    numNodes: number,
    seed: number,
  ): Promise<{ keys: BigInt64Array; bins: Float64Array }>;
  ranksInBin(
    keys: BigInt64Array,
    firstNode: number,
    numNodes: number,
    seed: number,
    bin: number,
  ): Promise<Float64Array>;
  /** The columns of the bucket's pairs of rank up to `lastRank`; offsets count from `firstEdge` */
  columnsOf(
    keys: BigInt64Array,
    firstNode: number,
    numNodes: number,
    seed: number,
    lastRank: number,
    firstEdge: number,
  ): Promise<{ indptr: BigInt64Array; indices: Int32Array }>;
  /** By id, one of `splitCode` */
  generatedSplit(model: BlockModelHandle): Promise<Int8Array>;
  /** Classes of the ids [first, first + count), −1 where the split (of all ids) says none */
  generatedLabels(model: BlockModelHandle, first: number, count: number, split: Int8Array): Promise<Int32Array>;
  /** float32 [count, featureDim] */
  generatedFeatures(model: BlockModelHandle, first: number, count: number): Promise<Float32Array>;
}
