import type { CscPart } from "../../graph/csc-graph.ts";
import type { HostFloats, HostInts } from "../memory.ts";
import type { BlockHandle, DeviceGraphHandle, IntsHandle } from "./memory-addon.ts";

/** A block that was sampled on the device, and what of it came down. */
export interface SampledBlock {
  readonly numSrc: number;
  readonly numDst: number;
  readonly numEdges: number;
  readonly isWeighted: boolean;
  readonly block: BlockHandle;
  /** GlobalId of every src row, on the device */
  readonly nodes: IntsHandle;
  /** Those of the first block on the host, int32 [numSrc]; empty of later ones, whose nodes begin the first's */
  readonly srcIds: Int32Array<ArrayBuffer>;
  /** Null unless asked for, as are the next two */
  readonly indptr: Int32Array | null;
  readonly indices: Int32Array | null;
  /** Null for a graph without weights, too */
  readonly weights: Float32Array | null;
}

/**
 * Sampling on the device (native/binding/device/sampling_binding.cc): on a stream of its own, by a thread of libuv's
 * pool, which is the one that waits. Kernels that are enqueued afterwards find the blocks there.
 */
export interface SamplingAddon {
  /**
   * The whole graph, checked and uploaded; its parts must not change meanwhile. `giveBack` ends it.
   * Rejects with SHAPE_MISMATCH, DEVICE_OUT_OF_MEMORY.
   */
  makeGraph(numNodes: number, parts: readonly CscPart[]): Promise<DeviceGraphHandle>;
  /**
   * The blocks of `sampleBlocks` of the native library, with its bits. `withEdges`: all of their arrays come down.
   * Rejects with SHAPE_MISMATCH, DATASET_TOO_LARGE, DEVICE_OUT_OF_MEMORY.
   */
  sampleOnDevice(
    graph: DeviceGraphHandle,
    seeds: HostInts,
    fanouts: HostInts,
    replace: boolean,
    withEdges: boolean,
    seed: number,
    epoch: number,
    step: number,
  ): Promise<readonly SampledBlock[]>;
  /** Waits until the arrays are there */
  readBlock(block: BlockHandle, indptr: HostInts, indices: HostInts, weights: HostFloats | null): void;
}
