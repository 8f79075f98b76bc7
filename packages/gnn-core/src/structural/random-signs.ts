import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import { keyedHash } from "../random/keyed-order.ts";

/** Rows of +1 and −1 that depend on seed and GlobalId alone; never stored. */
export class RandomSigns implements FeatureStore {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  readonly #seed: number;

  constructor(numRows: number, dim: number, seed: number) {
    this.numRows = numRows;
    this.dim = dim;
    this.#seed = seed;
  }

  gather(globalIds: Int32Array): FeatureRows {
    const { dim } = this;
    const values = new Float32Array(globalIds.length * dim);
    for (let row = 0; row < globalIds.length; row++) {
      for (let first = 0; first < dim; first += 32) {
        const bits = keyedHash(this.#seed, globalIds[row] as number, first);
        const end = Math.min(first + 32, dim);
        for (let c = first; c < end; c++) values[row * dim + c] = (bits >>> (c - first)) & 1 ? 1 : -1;
      }
    }
    return { kind: "dense", numRows: globalIds.length, dim, values };
  }

  gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    return Promise.resolve(this.gather(globalIds));
  }
}
