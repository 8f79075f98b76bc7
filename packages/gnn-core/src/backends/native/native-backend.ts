import type { StoredRows } from "../../features/stored-rows.ts";
import type { Block } from "../../graph/block.ts";
import { type ConstantFloats, type CopiedColumns, HeldFloats, type HostArrays, type KernelMemory } from "../memory.ts";
import { type BackendValues, type DataId, type DataType, loadCpuBackend, type TensorInfo, util } from "../tf.ts";
import { BufferPool } from "./buffer-pool.ts";
import { nativeBlock, reversibleBlock } from "./kernels/block-args.ts";

const maxFreeBytes = 1 << 30;

/**
 * The `native` backend: tensors of float32 lie in 64-byte-aligned memory from a pool, and our kernels read and write
 * that memory in place. It is a MathBackendCPU so that the stock cpu kernels run on it unchanged; their outputs are
 * ordinary typed arrays, which native kernels read just as well.
 */
export class NativeBackend extends loadCpuBackend().MathBackendCPU implements KernelMemory<HostArrays> {
  readonly pool = new BufferPool(maxFreeBytes);
  /** How often each stock kernel of the cpu backend has run here, in JavaScript: a training step needs none. */
  readonly scriptKernels = new Map<string, number>();
  readonly #pooled = new WeakMap<DataId, ArrayBuffer>();

  countScriptKernel(name: string): void {
    this.scriptKernels.set(name, (this.scriptKernels.get(name) ?? 0) + 1);
  }

  override write(values: BackendValues, _shape: number[], dtype: DataType): DataId {
    const dataId: DataId = {};
    this.data.set(dataId, { values, dtype, refCount: 1 });
    return dataId;
  }

  /** A new float32 tensor in pooled memory, contents undefined, and the view to fill it through. */
  allocate(shape: number[]): { info: TensorInfo; values: Float32Array } {
    const size = util.sizeFromShape(shape);
    const buffer = this.pool.take(size * 4);
    const values = new Float32Array(buffer, 0, size);
    const dataId = this.write(values, shape, "float32");
    this.#pooled.set(dataId, buffer);
    return { info: { dataId, shape, dtype: "float32" }, values };
  }

  /**
   * Memory for what a kernel keeps for its gradient alone: an output that has no elements in the eyes of tfjs, which
   * makes zeros of every output's shape, in JavaScript's memory, for the gradient that nobody has.
   */
  allocateSaved(size: number): { info: TensorInfo; values: Float32Array } {
    const { info, values } = this.allocate([size]);
    return { info: { ...info, shape: [0] }, values };
  }

  aggregatedColumns(inDim: number): number {
    return inDim;
  }

  /** The memory of a float32 tensor itself; valid until the tensor is disposed. */
  floats(tensor: { dataId: DataId }): Float32Array {
    return this.data.get(tensor.dataId).values as Float32Array;
  }

  /** The bytes to write to: memory that a caller handed in is replaced by our own first, so that his stays as it is. */
  writableFloats(tensor: { dataId: DataId }): Float32Array {
    const data = this.data.get(tensor.dataId);
    const values = data.values as Float32Array;
    if (this.#pooled.has(tensor.dataId)) return values;
    const buffer = this.pool.take(values.byteLength);
    const own = new Float32Array(buffer, 0, values.length);
    own.set(values);
    this.#pooled.set(tensor.dataId, buffer);
    data.values = own;
    return own;
  }

  scalar(tensor: { dataId: DataId }): number {
    return this.floats(tensor)[0] as number;
  }

  constant(values: ConstantFloats): Float32Array {
    if (values instanceof HeldFloats) throw new TypeError("Numbers that a device made are read by its kernels alone.");
    return values;
  }

  constantInts(values: Int32Array): Int32Array {
    return values;
  }

  block(block: Block): HostArrays["block"] {
    return nativeBlock(block);
  }

  reversibleBlock(block: Block): HostArrays["reversible"] {
    return reversibleBlock(block);
  }

  reverseEdges({ reverse }: Block): Int32Array {
    return reverse.edges;
  }

  storedRows(rows: StoredRows): HostArrays["rows"] {
    return rows.source ?? rows.values;
  }

  part(values: Float32Array, begin: number, end: number): Float32Array {
    return values.subarray(begin, end);
  }

  fill(values: Float32Array, value: number): void {
    values.fill(value);
  }

  copy(from: Float32Array, to: Float32Array): void {
    to.set(from);
  }

  copyColumns({ rows, columns, from, to }: CopiedColumns<Float32Array>): void {
    for (let row = 0; row < rows; row++) {
      const read = row * from.dim + from.at;
      const write = row * to.dim + to.at;
      for (let d = 0; d < columns; d++) to.values[write + d] = from.values[read + d] as number;
    }
  }

  scaled(kept: { dataId: DataId }, by: { dataId: DataId }, shape: number[]): TensorInfo {
    const { info, values } = this.allocate(shape);
    const [from, scale] = [this.floats(kept), this.scalar(by)];
    for (let i = 0; i < values.length; i++) values[i] = scale * (from[i] as number);
    return info;
  }

  /**
   * Gives an output of a stock kernel its own memory when it is a view of pooled memory (a slice of rows is): the
   * pool would hand that memory to the next tensor while the view is still read.
   */
  detach(info: TensorInfo): void {
    const data = this.data.get(info.dataId);
    const { values } = data;
    if (!ArrayBuffer.isView(values) || this.#pooled.has(info.dataId)) return;
    if (this.pool.owns(values.buffer)) data.values = (values as Float32Array).slice();
  }

  override async read(dataId: DataId): Promise<BackendValues> {
    return this.readSync(dataId);
  }

  /** A copy where the memory is pooled: a view would change under its reader once the tensor is disposed. */
  override readSync(dataId: DataId): BackendValues {
    const values = super.readSync(dataId);
    return this.#pooled.has(dataId) ? (values as Float32Array).slice() : values;
  }

  override disposeData(dataId: DataId, force = false): boolean {
    const disposed = super.disposeData(dataId, force);
    const buffer = this.#pooled.get(dataId);
    if (disposed && buffer) {
      this.#pooled.delete(dataId);
      this.pool.give(buffer);
    }
    return disposed;
  }

  override memory(): { unreliable: boolean; reasons: string[] } {
    return { unreliable: false, reasons: [] };
  }
}
