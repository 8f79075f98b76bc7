import type { StoredRows } from "../features/stored-rows.ts";
import type { Block } from "../graph/block.ts";
import type { NativeBlock, NativeRows, ReversibleBlock } from "./native/sparse-addon.ts";
import type { DataId, TensorInfo } from "./tf.ts";

/** Arrays of the host's memory, in whatever memory an addon has its own. */
export type HostFloats = Float32Array;
export type HostInts = Int32Array;

/** float32 that the active backend made in its own memory: its kernels take the handle, the host has no copy. */
export class HeldFloats {
  readonly handle: unknown;

  constructor(handle: unknown) {
    this.handle = handle;
  }
}

/** Numbers that do not change while kernels may read them, wherever they lie */
export type ConstantFloats = HostFloats | HeldFloats;

/** What an addon's kernels take, by where its arrays lie. */
export interface ArrayTypes {
  /** float32, read and written */
  readonly floats: unknown;
  /** int32, read */
  readonly ints: unknown;
  readonly block: unknown;
  readonly reversible: unknown;
  /** Rows, perhaps still where features are stored */
  readonly rows: unknown;
}

/** The processor's memory: kernels read and write typed arrays. */
export interface HostArrays extends ArrayTypes {
  readonly floats: Float32Array;
  readonly ints: Int32Array;
  readonly block: NativeBlock;
  readonly reversible: ReversibleBlock;
  readonly rows: Float32Array | NativeRows;
}

/** Columns of rows, from a place of one matrix to a place of another. */
export interface CopiedColumns<Floats> {
  readonly rows: number;
  readonly columns: number;
  readonly from: { readonly values: Floats; readonly dim: number; readonly at: number };
  readonly to: { readonly values: Floats; readonly dim: number; readonly at: number };
}

/** A backend as the kernels see it that run wherever its arrays lie. */
export interface KernelMemory<M extends ArrayTypes> {
  /** A new float32 tensor, contents undefined, and the memory to write it to. */
  allocate(shape: number[]): { info: TensorInfo; values: M["floats"] };
  /** Memory for what a kernel keeps for its gradient alone: a tensor that has no elements in the eyes of tfjs. */
  allocateSaved(size: number): { info: TensorInfo; values: M["floats"] };
  /**
   * Columns of what a GraphSAGE layer keeps for its gradient, a row for each dst row: the mean of its neighbours, on
   * devices beside the row itself
   */
  aggregatedColumns(inDim: number): number;
  /** The memory of a float32 tensor itself; valid until the tensor is disposed. */
  floats(tensor: { dataId: DataId }): M["floats"];
  /** The memory of a tensor to write to: the caller's own array stays as it is. */
  writableFloats(tensor: { dataId: DataId }): M["floats"];
  disposeData(dataId: DataId): boolean;
  /** The only element of a tensor, in the host's memory. */
  scalar(tensor: { dataId: DataId }): number;
  /** An array that does not change while kernels and their gradients may read it. */
  constant(values: ConstantFloats): M["floats"];
  constantInts(values: HostInts): M["ints"];
  block(block: Block): M["block"];
  /** The block as the kernels of gradients take it that walk its edges by src. */
  reversibleBlock(block: Block): M["reversible"];
  /** `block.reverse.edges` */
  reverseEdges(block: Block): M["ints"];
  storedRows(rows: StoredRows): M["rows"];
  /** The elements [begin, end), in the same memory. */
  part(values: M["floats"], begin: number, end: number): M["floats"];
  fill(values: M["floats"], value: number): void;
  copy(from: M["floats"], to: M["floats"]): void;
  copyColumns(copied: CopiedColumns<M["floats"]>): void;
  /** A new tensor of a shape: what a kernel has kept for its gradient, times a scalar, wherever that lies. */
  scaled(kept: { dataId: DataId }, by: { dataId: DataId }, shape: number[]): TensorInfo;
}
