import { activeCuda } from "../backends/active-cuda.ts";
import { madeOnDevice } from "../backends/cuda/made-ints.ts";
import { noteMatrix } from "../backends/feature-matrix.ts";
import { loadAddon } from "../backends/native/addon.ts";
import type { DenseSegment, FeaturesHandle, FeatureValues } from "../backends/native/graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { usableMemory } from "../host/usable.ts";
import { type ColumnScale, dtypeOf, type FeatureDtype } from "./feature-dtype.ts";
import type { FeatureRows, FeatureStore } from "./feature-store.ts";
import { StoredRows } from "./stored-rows.ts";

/** Share of the memory that this process may use up to which a mapped matrix is expected to stay in it. */
const residentShare = 0.5;
// Limits hold for life, or nearly: read once.
const residentBytes = residentShare * usableMemory();

/**
 * Dense rows in consecutive segments (one per part), usually mapped from disk and shared by the ranks of a host.
 *
 * `gatherAsync` leaves float32 rows where they are for native kernels to read (`StoredRows`), unless the matrix is so
 * large that kernels would wait for the disk: then, and for encoded values, rows are copied off the JavaScript thread.
 * A device that can read the matrix gathers and decodes its rows itself.
 */
export class DenseFeatureStore implements FeatureStore {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  readonly dtype: FeatureDtype;
  readonly #handle: FeaturesHandle;

  /**
   * @param segments [rows, dim] each, in row order: float32, binary16 bits or int8 codes; gathered as float32
   * @param columns  what int8 codes mean
   * @param isMade   whether a model has made the rows: a device places them without a word, as there is room
   * @throws GnnError SHAPE_MISMATCH when a segment is not a whole number of rows, or they are of different types
   */
  constructor(dim: number, segments: readonly FeatureValues[], columns: ColumnScale | null = null, isMade = false) {
    let firstRow = 0;
    const placed: DenseSegment[] = [];
    for (const values of segments) {
      const rows = dim === 0 ? 0 : values.length / dim;
      if (!Number.isInteger(rows)) {
        throw new GnnError("SHAPE_MISMATCH", `A feature segment has ${values.length} values, no multiple of ${dim}.`);
      }
      placed.push({ firstRow, values });
      firstRow += rows;
    }
    this.numRows = firstRow;
    this.dim = dim;
    this.dtype = dtypeOf(segments, dim, columns);
    const { scale = null, offset = null } = columns ?? {};
    this.#handle = nativeSync(() => loadAddon().createDenseFeatures(firstRow, dim, placed, scale, offset));
    noteMatrix(this.#handle, { numRows: firstRow, dim, segments, columns, isMade });
  }

  gather(globalIds: Int32Array): FeatureRows {
    return this.#rows(
      globalIds.length,
      nativeSync(() => loadAddon().gatherDense(this.#handle, globalIds)),
    );
  }

  async gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    if (this.#staysStored) {
      // A device knows the range of ids that it made, and they stay as they are as long as their batch.
      if (madeOnDevice(globalIds)) return new StoredRows(this.#handle, this.dim, globalIds);
      this.#checkRange(globalIds);
      const ids = globalIds.slice();
      return new StoredRows(this.#handle, this.dim, ids, { own: [ids] });
    }
    return this.copyAsync(globalIds);
  }

  /** As `gatherAsync`, but always a copy. */
  async copyAsync(globalIds: Int32Array): Promise<FeatureRows> {
    const numRows = globalIds.length;
    return this.#rows(numRows, await native(() => loadAddon().gatherDenseAsync(this.#handle, globalIds)));
  }

  get stored(): FeaturesHandle {
    return this.#handle;
  }

  /** Native kernels read the rows that `gatherAsync` gives where they lie. */
  get isReadInPlace(): boolean {
    return this.dtype === "fp32" && this.numRows > 0 && this.numRows * this.dim * 4 <= residentBytes;
  }

  /**
   * Means of the rows of all in-neighbours of each of the nodes, 0 without any, read in place.
   *
   * @param nodes      GlobalIds, int32 [n]
   * @param besideOwn  each node's own row before its mean
   * @param out        float32 [n, dim] or [n, 2·dim], written until the promise settles
   * @throws GnnError SHAPE_MISMATCH when a node is not in the graph, the graph has more nodes than there are rows, or
   * these are not float32
   */
  async neighborMeans(graph: CscGraph, nodes: Int32Array, besideOwn: boolean, out: Float32Array): Promise<void> {
    await native(() => loadAddon().neighborMeans(nativeGraph(graph), this.#handle, nodes, besideOwn, out));
  }

  /** The values were written, or are not needed any more: what a device has of them goes. */
  forgetCopies(): void {
    activeCuda()?.features.forget(this.#handle);
  }

  /** Whether kernels take rows from where they are stored, so that none are copied here. */
  get #staysStored(): boolean {
    const cuda = activeCuda();
    return cuda ? this.numRows > 0 && cuda.features.placementOf(this.#handle) !== "host" : this.isReadInPlace;
  }

  #checkRange(globalIds: Int32Array): void {
    const at = loadAddon().firstOutside(globalIds, this.numRows);
    if (at < 0) return;
    throw new GnnError("SHAPE_MISMATCH", `Row ${globalIds[at]} is not among the ${this.numRows} feature rows.`);
  }

  #rows(numRows: number, values: Float32Array): FeatureRows {
    return { kind: "dense", numRows, dim: this.dim, values };
  }
}
