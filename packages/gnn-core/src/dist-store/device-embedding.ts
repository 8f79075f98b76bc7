import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { keep, type Tensor1D, type Tensor2D, tensor1d, tensor2d, tidy } from "../backends/tf.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import { shareIds } from "../dist/share-ids.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import type { DistEmbedding } from "./dist-embedding.ts";
import { type RowsInStep, rowsOfOneRank, rowsOfRanks } from "./rows-in-step.ts";
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
 * This rank's rows of an embedding and the state of their optimizer in the memory of its device, for a rank that trains
 * alone or whose device is joined with those of the others: no step waits for them. They go up when they are first
 * read; the host's arrays are old from the first update on, until `settle`.
 */
export class DeviceEmbedding {
  readonly #cuda: CudaBackend;
  readonly #embedding: DistEmbedding;
  readonly #optimizer: SparseOptimizer;
  readonly #peers: PeerTensors | null;
  readonly #places: Int32Array;
  #step: RowsInStep | null = null;
  #held: readonly Held[] | null = null;
  #isAhead = false;

  /** @param peers joins the devices of the ranks that the rows lie with; null: there is one */
  constructor(
    cuda: CudaBackend,
    embedding: DistEmbedding,
    optimizer: SparseOptimizer,
    peers: PeerTensors | null = null,
  ) {
    this.#cuda = cuda;
    this.#embedding = embedding;
    this.#optimizer = optimizer;
    this.#peers = peers;
    this.#places = new Int32Array(embedding.numRows).fill(-1);
  }

  /**
   * Says which rows this rank's share of the next step reads. Every rank calls it; hosts wait for each other.
   *
   * @throws GnnError RANK_LOST, RANK_TIMEOUT, RANK_MISMATCH
   */
  async prepare(ids: Int32Array): Promise<void> {
    if (!this.#peers) {
      this.#step = rowsOfOneRank(ids, this.#places);
      return;
    }
    const { rank } = this.#embedding.store;
    const [named = []] = await shareIds(rank.collective, [ids]);
    this.#step = rowsOfRanks(named, rank.rank, this.#embedding, {
      places: this.#places,
      cuda: this.#cuda,
      peers: this.#peers,
    });
  }

  /** Rows [ids, dim] of what was prepared, as the last step left them; the caller disposes them. */
  get(): Tensor2D {
    return tidy(() => this.#prepared.read(this.#all()[0]?.device as Tensor2D));
  }

  /**
   * Enqueues the update of every row that was prepared, by the sum of what its places have of `gradient` [ids, dim].
   *
   * @param gradient null: this rank has none
   */
  update(gradient: Tensor2D | null, step: StepScale): void {
    const { count: numRows, dim } = this.#embedding;
    tidy(() => {
      const found = this.#learning(this.#prepared.gradientOf(gradient));
      if (!found) return;
      const [rows, ...slots] = this.#all().map(({ name, device }) => [name, this.#writable(device)] as const);
      this.#isAhead = true;
      const { addon, uploads } = this.#cuda;
      const table = { addon, numRows, dim, rows: rows?.[1] as FloatsHandle, slots: new Map(slots) };
      const enqueue = () => {
        const handles = { ids: this.#cuda.constantInts(found.rows), gradient: this.#cuda.floats(found.gradient) };
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

  /** Without rows that are frozen; null: no row is left. */
  #learning(found: ReturnType<RowsInStep["gradientOf"]>): ReturnType<RowsInStep["gradientOf"]> {
    const places = found && this.#embedding.placesThatLearn(found.rows);
    if (!places) return found;
    if (places.length === 0) return null;
    const rows = places.map((place) => found.rows[place] as number);
    return { rows, gradient: gatherRows(found.gradient, places) };
  }

  get #prepared(): RowsInStep {
    if (!this.#step) throw new TypeError("The rows of a step are read or updated before prepare has said which.");
    return this.#step;
  }

  /** The rows, then their state by slot */
  #all(): readonly Held[] {
    const { local, count, dim } = this.#embedding;
    this.#held ??= [
      { name: "rows", host: local, device: keep(tensor2d(local, [count, dim])) },
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
