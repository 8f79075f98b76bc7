import type { CscPart } from "../../graph/csc-graph.ts";
import type { HostInts } from "../memory.ts";
import type { BlockHandle, FloatsHandle, WholeGraphHandle } from "./memory-addon.ts";

/** One hop of all nodes, row v being node v, without some edges. Nothing of it came down but how many are left. */
export interface BlockLeft {
  readonly numEdges: number;
  /** With its edges by src, too */
  readonly block: BlockHandle;
  /** float32 [numNodes]: how many in-edges each node has left */
  readonly degrees: FloatsHandle;
}

/**
 * A whole graph without the edges of a step (native/binding/device/whole_graph_binding.cc): on the stream that samples,
 * by a thread of libuv's pool, which is the one that waits. Kernels that are enqueued afterwards find the block there.
 */
export interface WholeGraphAddon {
  /**
   * The graph, checked, uploaded and sorted by src; its parts must not change meanwhile. `giveBack` ends it.
   * Rejects with SHAPE_MISMATCH, DATASET_TOO_LARGE, DEVICE_OUT_OF_MEMORY.
   */
  makeWholeGraph(numNodes: number, parts: readonly CscPart[]): Promise<WholeGraphHandle>;
  /**
   * The hop without the edges between the nodes of each pair, in either direction, with the order and bits of
   * `edgesLeft` and `reverseEdges` of the native library. Rejects with SHAPE_MISMATCH, DEVICE_OUT_OF_MEMORY.
   */
  edgesLeft(graph: WholeGraphHandle, src: HostInts, dst: HostInts): Promise<BlockLeft>;
}
