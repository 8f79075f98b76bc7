import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { keep, type Tensor1D, type Tensor2D, tensor1d, tensor2d, tidy } from "../backends/tf.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import type { DistEmbedding } from "./dist-embedding.ts";
import { distinctRows } from "./distinct-rows.ts";
import type { DeviceRowUpdate, SparseOptimizer } from "./sparse-optimizer.ts";

/** What a step says of its gradient, on the device: `DeviceRowUpdate` */
export type StepScale = Pick<DeviceRowUpdate, "sums" | "scale">;

/** An array of the host's and what the device has of it */
interface Held {
  readonly name: string;
  readonly host: Float32Array;
  readonly device: Tensor1D | Tensor2D;
}

/**
 * The rows of an embedding and the state of their optimizer in the memory of a device, for a rank that trains alone:
 * nobody else reads or writes them, and no step waits for them. They go up when they are first read; the host's arrays
 * are old from the first update on, until `settle`.
 */
export class DeviceEmbedding {
  readonly #cuda: CudaBackend;
  readonly #embedding: DistEmbedding;
  readonly #optimizer: SparseOptimizer;
  readonly #places: Int32Array;
  #held: readonly Held[] | null = null;
  #isAhead = false;

  constructor(cuda: CudaBackend, embedding: DistEmbedding, optimizer: SparseOptimizer) {
    this.#cuda = cuda;
    this.#embedding = embedding;
    this.#optimizer = optimizer;
    this.#places = new Int32Array(embedding.numRows).fill(-1);
  }

  /** Rows [ids, dim] as the last step left them; the caller disposes them. */
  get(ids: Int32Array): Tensor2D {
    return gatherRows(this.#all()[0]?.device as Tensor2D, ids);
  }

  /** Enqueues the update of every row that is named, by the sum of what its places have of `gradient` [ids, dim]. */
  update(ids: Int32Array, gradient: Tensor2D, step: StepScale): void {
    const { numRows, dim } = this.#embedding;
    const named = distinctRows(ids, this.#places);
    const [rows, ...slots] = this.#all().map(({ name, device }) => [name, this.#writable(device)] as const);
    this.#isAhead = true;
    tidy(() => {
      const { addon, uploads } = this.#cuda;
      const sums = named.sums ? weightedSpmm(named.sums, gradient, { edgeWeights: null, selfWeights: null }) : gradient;
      const table = { addon, numRows, dim, rows: rows?.[1] as FloatsHandle, slots: new Map(slots) };
      const enqueue = () => {
        const handles = { ids: this.#cuda.constantInts(named.ids), gradient: this.#cuda.floats(sums) };
        this.#optimizer.stepOnDevice({ ...table, ...handles, ...step });
      };
      nativeSync(() => uploads.call(enqueue));
    });
  }

  /** Brings the host's arrays up to date; waits for the device off the JavaScript thread. */
  async settle(): Promise<void> {
    if (!this.#isAhead) return;
    const arriving = this.#all().map(({ device, host }) =>
      this.#cuda.addon.downloadAsync(this.#cuda.floats(device), host),
    );
    await Promise.all(arriving);
    this.#isAhead = false;
  }

  /** As `settle`, at once. */
  settleNow(): void {
    if (!this.#isAhead) return;
    for (const { device, host } of this.#all()) {
      nativeSync(() => this.#cuda.addon.download(this.#cuda.floats(device), host));
    }
    this.#isAhead = false;
  }

  /** Gives the memory of the device back behind `settleNow`: what the host's arrays hold goes up anew. */
  leave(): void {
    this.settleNow();
    this.dispose();
  }

  /** Gives back what lies on the device; what was learned since `settle` is lost. */
  dispose(): void {
    for (const { device } of this.#held ?? []) device.dispose();
    this.#held = null;
    this.#isAhead = false;
  }

  /** The rows, then their state by slot */
  #all(): readonly Held[] {
    const { local, numRows, dim } = this.#embedding;
    this.#held ??= [
      { name: "rows", host: local, device: keep(tensor2d(local, [numRows, dim])) },
      ...this.#optimizer.state(this.#embedding).map(({ name, values }) => {
        const host = new Float32Array(values.buffer, values.byteOffset, values.length);
        return { name, host, device: keep(tensor1d(host)) };
      }),
    ];
    return this.#held;
  }

  /** The tensor's memory of the device alone: the host's array is no longer its values. */
  #writable(tensor: Tensor1D | Tensor2D): FloatsHandle {
    return nativeSync(() => this.#cuda.writableFloats(tensor));
  }
}
