import { loadAddon } from "../backends/native/addon.ts";
import type { FeatureValues } from "../backends/native/graph-addon.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { ColumnScale, FeatureDtype } from "./feature-dtype.ts";
import type { FeatureRows, FeatureStore } from "./feature-store.ts";

const chunkValues = 1 << 22;

/**
 * Reads all rows once for the range of each column. CSR: of its stored values, so that columns of ones are exact.
 *
 * @throws GnnError DATASET_VALUE_INVALID naming row and column of the first value that is not finite
 */
export async function fitColumnScale(store: FeatureStore): Promise<ColumnScale> {
  const low = new Float32Array(store.dim).fill(Number.POSITIVE_INFINITY);
  const high = new Float32Array(store.dim).fill(Number.NEGATIVE_INFINITY);
  const chunk = Math.max(1, Math.floor(chunkValues / Math.max(1, store.kind === "dense" ? store.dim : 64)));
  for (let first = 0; first < store.numRows; first += chunk) {
    const ids = Int32Array.from({ length: Math.min(chunk, store.numRows - first) }, (_, i) => first + i);
    const rows = await store.gatherAsync(ids);
    const bad = loadAddon().widenRanges(rows.values, rows.kind === "csr" ? rows.indices : null, low, high);
    if (bad >= 0) throw notEncodable(rows, ids, bad, "int8");
  }
  const offset = low.map((value) => (value === Number.POSITIVE_INFINITY ? 0 : value));
  return { scale: low.map((value, column) => stepOf(value, high[column] as number)), offset };
}

/** 1/255 of the range; positive when the range is, or a column of tiny numbers would become one number. */
function stepOf(low: number, high: number): number {
  return high > low ? Math.max((high - low) / 255, smallestFloat32) : 0;
}

const smallestFloat32 = 2 ** -149;

/**
 * The stored form of gathered rows: the values themselves (fp32), rounded to nearest even (fp16), or steps of `columns`
 * (int8).
 *
 * @param ids where the rows come from, for the message
 * @throws GnnError DATASET_VALUE_INVALID when a value is not finite, or over 65504 and to become fp16
 */
export function encodeRows(
  rows: FeatureRows,
  ids: Int32Array,
  dtype: FeatureDtype,
  columns: ColumnScale | null,
): FeatureValues {
  const { values } = rows;
  if (dtype === "fp32") return values;
  if (dtype === "fp16") {
    const codes = new Uint16Array(values.length);
    const bad = loadAddon().encodeHalf(values, codes);
    if (bad >= 0) throw notEncodable(rows, ids, bad, dtype);
    return codes;
  }
  const codes = new Int8Array(values.length);
  const { scale, offset } = columns as ColumnScale;
  loadAddon().encodeInt8(values, rows.kind === "csr" ? rows.indices : null, scale, offset, codes);
  return codes;
}

function notEncodable(rows: FeatureRows, ids: Int32Array, at: number, dtype: FeatureDtype): GnnError {
  const [row, column] = placeOf(rows, at);
  const value = rows.values[at] as number;
  const expected = Number.isFinite(value)
    ? "fp16 ends at 65504. Scale the column, or choose int8 or fp32"
    : "expected a finite number";
  const message = `Feature row ${ids[row]}, column ${column} (both from 0) is ${value}; ${expected} (${dtype}).`;
  return new GnnError("DATASET_VALUE_INVALID", message, { place: { field: `column ${column}` } });
}

function placeOf(rows: FeatureRows, at: number): [row: number, column: number] {
  if (rows.kind === "dense") return [Math.floor(at / rows.dim), at % rows.dim];
  return [rows.indptr.findIndex((end) => end > at) - 1, rows.indices[at] as number];
}
