import { GnnError } from "../errors/gnn-error.ts";
import type { NpyArrays } from "../io/npy-map.ts";

/** Element types of rows, in the order of their codes in native/include/gnn/rows/row_schema.h */
export const rowDtypes = ["float32", "int32", "int64", "int8", "uint8", "float16"] as const;
export type RowDtype = (typeof rowDtypes)[number];
/** The bits of each binary16 for float16 */
export type RowArray<D extends RowDtype = RowDtype> = NpyArrays[D];

const arrayTypes = {
  float32: Float32Array,
  int32: Int32Array,
  int64: BigInt64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  float16: Uint16Array,
} as const;

/** What every rank must say alike of a table of rows. */
export interface RowSchema<D extends RowDtype = RowDtype> {
  readonly dtype: D;
  /** Elements per row */
  readonly dim: number;
  /** [worldSize + 1] from 0: rank r owns the ids [offsets[r], offsets[r + 1]) */
  readonly offsets: readonly number[];
  /** Rows that nobody writes, such as those of a mapped file */
  readonly readOnly?: boolean;
}

/** Zeros for `length` elements. */
export function newRowArray<D extends RowDtype>(dtype: D, length: number): RowArray<D> {
  return new arrayTypes[dtype](length) as RowArray<D>;
}

/** Ranges of `numRows` ids whose sizes differ by at most one: rank r has [⌊r·n/k⌋, ⌊(r+1)·n/k⌋). */
export function evenOffsets(numRows: number, worldSize: number): number[] {
  return Array.from({ length: worldSize + 1 }, (_, rank) => Math.floor((rank * numRows) / worldSize));
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Names travel between hosts and become parts of file names. @throws GnnError SPEC_INVALID */
export function checkRowName(name: string): void {
  if (namePattern.test(name) && name.length <= 100) return;
  throw new GnnError(
    "SPEC_INVALID",
    `"${name}" cannot name rows; expected up to 100 letters, digits, ".", "_", "-" in parts divided by "/".`,
  );
}
