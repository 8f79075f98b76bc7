import { loadAddon } from "../backends/native/addon.ts";
import type { DenseSegment, FeaturesHandle, FeatureValues } from "../backends/native/graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type ColumnScale, dtypeOf, type FeatureDtype } from "./feature-dtype.ts";
import type { FeatureRows, FeatureStore } from "./feature-store.ts";

/** Dense rows in consecutive segments (one per part), usually mapped from disk and shared by the ranks of a host. */
export class DenseFeatureStore implements FeatureStore {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  readonly dtype: FeatureDtype;
  readonly #handle: FeaturesHandle;

  /**
   * @param segments [rows, dim] each, in row order: float32, binary16 bits or int8 codes; gathered as float32
   * @param columns  what int8 codes mean
   * @throws GnnError SHAPE_MISMATCH when a segment is not a whole number of rows, or they are of different types
   */
  constructor(dim: number, segments: readonly FeatureValues[], columns: ColumnScale | null = null) {
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
  }

  gather(globalIds: Int32Array): FeatureRows {
    return this.#rows(
      globalIds.length,
      nativeSync(() => loadAddon().gatherDense(this.#handle, globalIds)),
    );
  }

  async gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    const numRows = globalIds.length;
    return this.#rows(numRows, await native(() => loadAddon().gatherDenseAsync(this.#handle, globalIds)));
  }

  #rows(numRows: number, values: Float32Array): FeatureRows {
    return { kind: "dense", numRows, dim: this.dim, values };
  }
}
