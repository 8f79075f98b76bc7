import type { StoredRows } from "../../features/stored-rows.ts";
import type { Block } from "../../graph/block.ts";
import { type ConstantFloats, type CopiedColumns, HeldFloats, type KernelMemory } from "../memory.ts";
import { nativeSync } from "../native/native-error.ts";
import { type BackendValues, type DataId, type DataType, loadCpuBackend, type TensorInfo, util } from "../tf.ts";
import type { CudaAddon, DeviceArrays } from "./addon.ts";
import { type DeviceData, HeldData } from "./held-data.ts";
import type { BlockHandle, FloatsHandle, IntsHandle } from "./memory-addon.ts";
import { PlacedFeaturesOf } from "./placed-features.ts";
import { StepUploads } from "./step-uploads.ts";
import { binaryOps } from "./stock-addon.ts";

const multiply = binaryOps.indexOf("multiply");

/**
 * The `cuda` backend: float32 tensors lie in the device's memory, behind handles, and our kernels are enqueued there
 * one behind the other. What the host writes goes up when a kernel first reads it; what the host reads comes back, with
 * a wait for the device that is counted. It is a MathBackendCPU so that stock cpu kernels run on it unchanged, at the
 * price of such waits: a training step needs none.
 */
export class CudaBackend extends loadCpuBackend().MathBackendCPU implements KernelMemory<DeviceArrays> {
  readonly addon: CudaAddon;
  readonly uploads: StepUploads;
  /** Where feature matrices lie */
  readonly features: PlacedFeaturesOf;
  /** How often each stock kernel of the cpu backend has run here, in JavaScript: a training step needs none. */
  readonly scriptKernels = new Map<string, number>();
  /** How often the host has waited for values of tensors */
  readBacks = 0;
  readonly #device: DeviceData;

  constructor(addon: CudaAddon) {
    super();
    this.addon = addon;
    this.uploads = new StepUploads(addon);
    this.features = new PlacedFeaturesOf(this);
    this.#device = { addon, onReadBack: () => this.readBacks++ };
  }

  /** Whether kernels run in the emulation, on the processor. */
  get isEmulated(): boolean {
    return this.addon.deviceName() === "emulation";
  }

  countScriptKernel(name: string): void {
    this.scriptKernels.set(name, (this.scriptKernels.get(name) ?? 0) + 1);
  }

  override write(values: BackendValues, _shape: number[], dtype: DataType): DataId {
    return this.#hold(new HeldData(this.#device, dtype, { values }));
  }

  override move(dataId: DataId, values: BackendValues, _shape: number[], dtype: DataType, refCount: number): void {
    const data = new HeldData(this.#device, dtype, { values });
    data.refCount = refCount;
    this.data.set(dataId, data);
  }

  allocate(shape: number[]): { info: TensorInfo; values: FloatsHandle } {
    const values = this.uploads.forOutput(this.addon.makeFloats(util.sizeFromShape(shape)));
    return { info: this.tensorOver(values, shape), values };
  }

  allocateSaved(size: number): { info: TensorInfo; values: FloatsHandle } {
    const { info, values } = this.allocate([size]);
    return { info: { ...info, shape: [0] }, values };
  }

  aggregatedColumns(inDim: number): number {
    return 2 * inDim;
  }

  /** A tensor of memory that exists; the backend gives it back with the tensor. */
  tensorOver(values: FloatsHandle, shape: number[]): TensorInfo {
    const size = util.sizeFromShape(shape);
    const dataId = this.#hold(new HeldData(this.#device, "float32", { handle: values, size }));
    return { dataId, shape, dtype: "float32" };
  }

  floats(tensor: { dataId: DataId }): FloatsHandle {
    return this.#held(tensor).handle;
  }

  writableFloats(tensor: { dataId: DataId }): FloatsHandle {
    return this.#held(tensor).writable();
  }

  scalar(tensor: { dataId: DataId }): number {
    return (this.#held(tensor).values as Float32Array)[0] as number;
  }

  /** The only element of a tensor where the host has it, so that nobody waits; else null. */
  knownScalar(tensor: { dataId: DataId }): number | null {
    return this.#held(tensor).knownScalar;
  }

  constant(values: ConstantFloats): FloatsHandle {
    return values instanceof HeldFloats ? (values.handle as FloatsHandle) : this.uploads.floats(values);
  }

  constantInts(values: Int32Array): IntsHandle {
    return this.uploads.ints(values);
  }

  block(block: Block): BlockHandle {
    return this.uploads.block(block);
  }

  reversibleBlock(block: Block): BlockHandle {
    const handle = this.uploads.block(block);
    this.uploads.forCall(this.addon.reverseBlock(handle));
    return handle;
  }

  reverseEdges(block: Block): IntsHandle {
    return this.uploads.forCall(this.addon.reverseBlock(this.uploads.block(block)));
  }

  /** Rows that the device can read are gathered there; others are gathered by the host and uploaded. */
  storedRows(rows: StoredRows): FloatsHandle {
    return this.features.rowsOf(rows);
  }

  part(values: FloatsHandle, begin: number, end: number): FloatsHandle {
    return this.uploads.forCall(this.addon.partOf(values, begin, end));
  }

  fill(values: FloatsHandle, value: number): void {
    this.addon.fill(value, values);
  }

  copy(from: FloatsHandle, to: FloatsHandle): void {
    this.addon.copy(from, to);
  }

  copyColumns({ rows, columns, from, to }: CopiedColumns<FloatsHandle>): void {
    this.addon.copyColumns(rows, columns, from.dim, from.at, to.dim, to.at, from.values, to.values);
  }

  scaled(kept: { dataId: DataId }, by: { dataId: DataId }, shape: number[]): TensorInfo {
    const { info, values } = this.allocate(shape);
    const size = util.sizeFromShape(shape);
    const [from, scale] = [this.floats(kept), this.floats(by)];
    this.addon.applyBinary(multiply, 1, size, from, 0, 1, 0, scale, 0, 0, 0, values);
    return info;
  }

  /** Writes rows [rows.length, dim] into a tensor [n, dim], each at its place; no place twice */
  putRows(values: TensorInfo, rows: Int32Array, out: TensorInfo): void {
    const [numRows, dim] = out.shape as [number, number];
    this.uploads.call(() =>
      this.addon.putRows(
        rows.length,
        dim,
        numRows,
        this.floats(values),
        this.constantInts(rows),
        this.writableFloats(out),
      ),
    );
  }

  /** Puts a tensor's values into a part of an array of the caller's, whose handle the tensor has from then on. */
  moveTo(tensor: { dataId: DataId }, place: FloatsHandle): void {
    this.#held(tensor).moveTo(place);
  }

  /** Whether the tensor lies in this memory. */
  isIn(tensor: { dataId: DataId }, place: FloatsHandle): boolean {
    return this.#held(tensor).isIn(place);
  }

  override async read(dataId: DataId): Promise<BackendValues> {
    return nativeSync(() => (this.data.get(dataId) as unknown as HeldData).read());
  }

  override readSync(dataId: DataId): BackendValues {
    return nativeSync(() => super.readSync(dataId));
  }

  override disposeData(dataId: DataId, force = false): boolean {
    const held = this.data.has(dataId) ? (this.data.get(dataId) as unknown as HeldData) : null;
    const disposed = super.disposeData(dataId, force);
    if (disposed) held?.giveBack();
    return disposed;
  }

  override memory(): { unreliable: boolean; reasons: string[] } {
    return { unreliable: false, reasons: [] };
  }

  #held({ dataId }: { dataId: DataId }): HeldData {
    return this.data.get(dataId) as unknown as HeldData;
  }

  #hold(data: HeldData): DataId {
    const dataId: DataId = {};
    this.data.set(dataId, data);
    return dataId;
  }
}
