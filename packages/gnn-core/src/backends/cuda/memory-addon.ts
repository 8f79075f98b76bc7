import type { HostFloats, HostInts } from "../memory.ts";

/** float32 of the device's memory. What it is, only the addon knows: JavaScript never sees an address. */
export interface FloatsHandle {
  readonly kind: "floats of a device";
}

/** int32 of the device's memory, whose range was measured when they were uploaded. */
export interface IntsHandle {
  readonly kind: "integers of a device";
}

/** The edges of a block on the device. */
export interface BlockHandle {
  readonly kind: "block of a device";
}

/** A dense feature matrix that kernels of the device read, wherever its rows lie. */
export interface DeviceFeaturesHandle {
  readonly kind: "features of a device";
}

/** An in-edge graph in the device's memory, to be sampled there. */
export interface DeviceGraphHandle {
  readonly kind: "graph of a device";
}

/** All edges of a graph in the device's memory, by dst and by src. */
export interface WholeGraphHandle {
  readonly kind: "whole graph of a device";
}

/** Rows of a feature matrix in memory of the device that other processes may read. */
export interface DeviceShareHandle {
  readonly kind: "share of a device";
}

export type DeviceHandle =
  | FloatsHandle
  | IntsHandle
  | BlockHandle
  | DeviceFeaturesHandle
  | DeviceGraphHandle
  | WholeGraphHandle
  | DeviceShareHandle;

/** What work on the device has cost since the process began, and the memory of this thread's streams. */
export interface DeviceCounters {
  /** Kernels started */
  readonly launches: number;
  /** Waits of the host for the device */
  readonly synchronizations: number;
  readonly uploads: number;
  readonly downloads: number;
  /** Waits of threads that prepare later steps, beside those that compute this one */
  readonly waitsAhead: number;
  /** Copies to the host that those threads have asked for */
  readonly downloadsAhead: number;
  readonly uploadedBytes: number;
  /** Bytes that arrays have, as the pools round them up */
  readonly takenBytes: number;
  /** Bytes that the pool keeps for the next taker */
  readonly keptBytes: number;
}

/**
 * Arrays on the device (native/binding/device/memory_binding.cc). Kernels are enqueued on one stream per thread, in the
 * order of the calls; only `download` and `synchronize` wait for it. A function that needs memory throws
 * DEVICE_OUT_OF_MEMORY where there is none.
 */
export interface DeviceMemoryAddon {
  /** The GPU's name, or "emulation" */
  deviceName(): string;
  /** Contents undefined */
  makeFloats(count: number): FloatsHandle;
  /** The elements [begin, end): the same memory, kept as long as either handle is */
  partOf(array: FloatsHandle, begin: number, end: number): FloatsHandle;
  /** Copied into pinned memory before it returns: the caller may change `values` */
  uploadFloats(values: HostFloats): FloatsHandle;
  uploadInts(values: HostInts): IntsHandle;
  uploadInto(values: HostFloats, to: FloatsHandle): void;
  /** Waits until all work that was enqueued is done */
  download(from: FloatsHandle, to: HostFloats): void;
  /** As `download`, off the JavaScript thread; `to` is written until the promise settles */
  downloadAsync(from: FloatsHandle, to: HostFloats): Promise<void>;
  /** The memory goes back to the pool in stream order, before the handle is collected */
  giveBack(object: DeviceHandle): void;
  fill(value: number, out: FloatsHandle): void;
  copy(from: FloatsHandle, to: FloatsHandle): void;
  copyColumns(
    rows: number,
    columns: number,
    xDim: number,
    xAt: number,
    outDim: number,
    outAt: number,
    x: FloatsHandle,
    out: FloatsHandle,
  ): void;
  /** out[rows[i]] = values[i], rows of `dim` numbers of which out has `rowsOfOut`; no row twice */
  putRows(
    count: number,
    dim: number,
    rowsOfOut: number,
    values: FloatsHandle,
    rows: IntsHandle,
    out: FloatsHandle,
  ): void;
  /** Checks the edges, then uploads them; throws SHAPE_MISMATCH */
  makeBlock(numSrc: number, numDst: number, indptr: HostInts, indices: HostInts): BlockHandle;
  /** Sorts the edges by src on the device, once. @returns the position of each */
  reverseBlock(block: BlockHandle): IntsHandle;
  /**
   * A matrix of float32, binary16 or int8; the columns' scale and offset are those of int8 codes. Without `cached` all
   * rows are uploaded. With it, the segments are pinned where they lie, or copied where the driver does not pin them,
   * for the device to read; these rows lie in its memory as well. `segments` must not change meanwhile.
   */
  makeFeatures(
    numRows: number,
    dim: number,
    segments: readonly NodeJS.TypedArray[],
    scale: HostFloats | null,
    offset: HostFloats | null,
    cached: HostInts | null,
  ): DeviceFeaturesHandle;
  /** out [ids.length, dim] = the rows, as float32, with elements dropped as `dropoutRows` does by the ids, if at all */
  gatherFeatures(
    features: DeviceFeaturesHandle,
    ids: IntsHandle,
    key: HostInts | null,
    threshold: number,
    out: FloatsHandle,
  ): void;
  /** out = its rows [rows, dim], each divided by the sum of its magnitudes; one of zeros stays one */
  rowNormalizeRows(rows: number, dim: number, out: FloatsHandle): void;
  /** out = its rows [rows, dim], (x − mean) / scale of each column */
  standardizeRows(rows: number, dim: number, mean: FloatsHandle, scale: FloatsHandle, out: FloatsHandle): void;
  deviceCounters(): DeviceCounters;
  /** Bytes of the whole device, whoever uses them */
  deviceMemory(): { readonly freeBytes: number; readonly totalBytes: number };
  /** Waits until all work that was enqueued is done; throws DEVICE_FAULT when some of it failed, or DEVICE_LOST */
  synchronize(): void;
  /** What the pool keeps goes back to the device */
  trimMemory(): void;
}

/** What tests set in the emulated device (native/binding/device/emulation_binding.cc). */
export interface EmulationAddon {
  setEmulatedMemory(bytes: number): void;
  emulatedMemoryInUse(): number;
  /** The device is lost when so many further kernels and copies have been done */
  loseEmulatedDeviceAfter(pieces: number): void;
  /** One that was lost, or on which a kernel has failed, is usable again: a GPU needs a new process for that */
  resetEmulatedDevice(): void;
}
