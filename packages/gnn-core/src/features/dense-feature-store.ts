import { loadAddon } from "../backends/native/addon.ts";
import type { DenseSegment, FeaturesHandle } from "../backends/native/graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureRows, FeatureStore } from "./feature-store.ts";

/** Dense rows in consecutive segments (one per part), usually mapped from disk and shared by the ranks of a host. */
export class DenseFeatureStore implements FeatureStore {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  readonly #handle: FeaturesHandle;

  /**
   * @param segments float32 [rows, dim] each, in row order
   * @throws GnnError SHAPE_MISMATCH when a segment is not a whole number of rows
   */
  constructor(dim: number, segments: readonly Float32Array[]) {
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
    this.#handle = nativeSync(() => loadAddon().createDenseFeatures(firstRow, dim, placed));
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
