import type { DenseRows, FeatureRows, FeatureStore } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";

/** Columns of two stores of the same nodes, side by side: [left ‖ right]. Nothing is stored. */
export class RowsBesideFeatures implements FeatureStore {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  readonly #left: FeatureStore;
  readonly #right: FeatureStore;

  /** Both must be dense */
  constructor(left: FeatureStore, right: FeatureStore) {
    this.#left = left;
    this.#right = right;
    this.numRows = right.numRows;
    this.dim = left.dim + right.dim;
  }

  gather(globalIds: Int32Array): FeatureRows {
    return sideBySide(this.#left.gather(globalIds) as DenseRows, this.#right.gather(globalIds) as DenseRows);
  }

  async gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    const [left, right] = await Promise.all([this.#left.gatherAsync(globalIds), this.#right.gatherAsync(globalIds)]);
    const rows = sideBySide(left as DenseRows, right as DenseRows);
    // Copied from: what came from other ranks goes at once.
    for (const read of [left, right]) if (read instanceof StoredRows) read.release();
    return rows;
  }
}

/** [left_i ‖ right_i] for every row i */
export function sideBySide(left: DenseRows, right: DenseRows): DenseRows {
  const dim = left.dim + right.dim;
  const values = new Float32Array(left.numRows * dim);
  const a = left.values;
  const b = right.values;
  for (let row = 0; row < left.numRows; row++) {
    values.set(a.subarray(row * left.dim, (row + 1) * left.dim), row * dim);
    values.set(b.subarray(row * right.dim, (row + 1) * right.dim), row * dim + left.dim);
  }
  return { kind: "dense", numRows: left.numRows, dim, values };
}
