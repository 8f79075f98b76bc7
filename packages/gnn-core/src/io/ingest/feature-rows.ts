import type { FeatureColumn } from "./feature-layout.ts";
import { errorAt, type PlacedBatch } from "./ingest-context.ts";
import type { MissingFills } from "./missing-fills.ts";

/**
 * The feature rows of a batch, float32 [rows, dim]; what is missing is filled in where the spec says with what.
 *
 * @throws GnnError DATASET_VALUE_INVALID naming the row of what is empty or does not fit float32
 */
export async function featureRows(
  fills: MissingFills,
  batch: PlacedBatch,
  values: readonly Float64Array[],
): Promise<Float32Array> {
  const { columns, dim } = fills.layout;
  const rows = new Float32Array(batch.numRows * dim);
  for (const [i, column] of columns.entries()) {
    const width = column.width ?? 1;
    const cells = values[i]!;
    for (let row = 0; row < batch.numRows; row++) {
      const to = row * dim + column.first;
      // A vector is missing as a whole or not at all.
      if (column.missing !== null && Number.isNaN(cells[row * width])) {
        fills.fill(i, rows, to);
        continue;
      }
      for (let k = 0; k < width; k++) {
        const value = Math.fround(cells[row * width + k]!);
        if (!Number.isFinite(value)) throw await badFeature(batch, row, column, value);
        rows[to + k] = value;
      }
    }
  }
  return rows;
}

function badFeature(batch: PlacedBatch, row: number, { name }: FeatureColumn, value: number): Promise<Error> {
  const message = Number.isNaN(value)
    ? "the feature is empty; expected a number. Fill it in, or say in features.missing what to take instead."
    : "the number does not fit float32.";
  return errorAt("DATASET_VALUE_INVALID", batch, row, name, message);
}
