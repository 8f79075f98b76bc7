import type { TableBatch } from "../table-source.ts";
import type { WantedColumn } from "../wanted-column.ts";

/** The cells of one column of a batch */
export type Cells = TableBatch["columns"][number];
export type OwnCells = (string | null)[] | Float64Array;

/** A text of some letters */
const textBytes = 64;
const longTextBytes = 1024;

export function widthOf(column: WantedColumn): number {
  return column.as === "vector" ? column.width : 1;
}

/** How many rows of these columns take so many bytes, at least one. */
export function rowsWithin(bytes: number, columns: readonly WantedColumn[]): number {
  const ofText = (column: WantedColumn) => ("areLong" in column && column.areLong ? longTextBytes : textBytes);
  const each = columns.map((column) => (column.as === "text" ? ofText(column) : 8 * widthOf(column)));
  return Math.max(1, Math.floor(bytes / each.reduce((sum, one) => sum + one, 1)));
}

/** Cells that are all empty: null, and NaN where numbers are read */
export function emptyCells(column: WantedColumn, numRows: number): OwnCells {
  return column.as === "text"
    ? Array.from<string | null>({ length: numRows }).fill(null)
    : new Float64Array(numRows * widthOf(column)).fill(Number.NaN);
}

export function copyCell(from: Cells, row: number, to: OwnCells, at: number, width: number): void {
  if (to instanceof Float64Array) {
    const values = from as Float64Array;
    for (let k = 0; k < width; k++) to[at * width + k] = values[row * width + k]!;
  } else to[at] = (from as readonly (string | null)[])[row]!;
}
