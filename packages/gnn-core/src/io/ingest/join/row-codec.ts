import type { WantedColumn } from "../../wanted-column.ts";
import { type Cells, type OwnCells, widthOf } from "../cells.ts";

const noText = 0xffff_ffff;

/**
 * Rows as bytes: where a row belongs (uint32), its place in its table (float64), and its cells, numbers as float64 and
 * texts as their length (uint32) and UTF-8. They are read again as they were written.
 */
export class RowWriter {
  readonly #columns: readonly WantedColumn[];
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;

  constructor(columns: readonly WantedColumn[]) {
    this.#columns = columns;
  }

  get length(): number {
    return this.#length;
  }

  add(to: number, row: number, cells: readonly Cells[], at: number): void {
    this.#reserve(12);
    this.#bytes.writeUInt32LE(to, this.#length);
    this.#bytes.writeDoubleLE(row, this.#length + 4);
    this.#length += 12;
    for (const [c, column] of this.#columns.entries()) {
      if (column.as === "text") this.#addText((cells[c] as readonly (string | null)[])[at]!);
      else this.#addNumbers(cells[c] as Float64Array, at, widthOf(column));
    }
  }

  /** The bytes since the last call; they count until the next row is added. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #addNumbers(values: Float64Array, at: number, width: number): void {
    this.#reserve(8 * width);
    for (let k = 0; k < width; k++) this.#length = this.#bytes.writeDoubleLE(values[at * width + k]!, this.#length);
  }

  #addText(text: string | null): void {
    const size = text === null ? 0 : Buffer.byteLength(text);
    this.#reserve(4 + size);
    this.#length = this.#bytes.writeUInt32LE(text === null ? noText : size, this.#length);
    if (text !== null) this.#length += this.#bytes.write(text, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Puts the rows of these bytes where they belong, a later row over an earlier one. */
export function placeRows(
  bytes: Buffer,
  columns: readonly WantedColumn[],
  cells: readonly OwnCells[],
  rows: Float64Array,
): void {
  let at = 0;
  while (at < bytes.length) {
    const to = bytes.readUInt32LE(at);
    rows[to] = bytes.readDoubleLE(at + 4);
    at += 12;
    for (const [c, column] of columns.entries()) {
      if (column.as === "text") {
        const size = bytes.readUInt32LE(at);
        at += 4;
        const length = size === noText ? 0 : size;
        (cells[c] as (string | null)[])[to] = size === noText ? null : bytes.toString("utf8", at, at + length);
        at += length;
        continue;
      }
      const width = widthOf(column);
      const values = cells[c] as Float64Array;
      for (let k = 0; k < width; k++, at += 8) values[to * width + k] = bytes.readDoubleLE(at);
    }
  }
}
