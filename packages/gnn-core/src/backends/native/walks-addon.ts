import type { GraphHandle } from "./graph-addon.ts";

export interface WalkPairArrays {
  /** int32 [rows] GlobalIds, ascending */
  readonly nodes: Int32Array;
  /** int32 [rows + 1] */
  readonly indptr: Int32Array;
  /** int32 [pairs] rows, by centre */
  readonly indices: Int32Array;
  /** float32 [pairs]: 1 met on a walk, 0 drawn */
  readonly targets: Float32Array;
  readonly numPositives: number;
}

/** Random walks and what is learnt from them (native/binding/walks_binding.cc); both run on libuv's pool. */
export interface WalksAddon {
  /** int32 [starts · perNode, length + 1]; −1 where a walk has ended */
  randomWalks(
    graph: GraphHandle,
    starts: Int32Array,
    length: number,
    perNode: number,
    p: number,
    q: number,
    seed: number,
    epoch: number,
  ): Promise<Int32Array>;
  /** `noise`: float64 [numNodes] running sums of what a drawn node weighs; null: all weigh the same */
  walkPairs(
    graph: GraphHandle,
    starts: Int32Array,
    length: number,
    perNode: number,
    p: number,
    q: number,
    window: number,
    negatives: number,
    noise: Float64Array | null,
    seed: number,
    epoch: number,
  ): Promise<WalkPairArrays>;
}
