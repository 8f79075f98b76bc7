import type { WantedColumn } from "../../wanted-column.ts";
import { type Cells, type OwnCells, widthOf } from "../cells.ts";

const noText = 0xffff_ffff;
/** A writer may be one of hundreds: it keeps no more than this once its rows are taken. */
const mostKept = 128 << 10;

/**
 * Rows as bytes: where a row belongs (uint32), its place in its table (float64), and its cells, numbers as float64 and
 * texts as their length (uint32) and UTF-8. They are read again as they were written.
 */
export class RowWriter {
  readonly #columns: readonly WantedColumn[];
  #bytes = Buffer.allocUnsafeSlow(4096);
  #view = viewOf(this.#bytes);
  #length = 0;

  constructor(columns: readonly WantedColumn[]) {
    this.#columns = columns;
  }

  get length(): number {
    return this.#length;
  }

  add(to: number, row: number, cells: readonly Cells[], at: number): void {
    this.#reserve(12);
    this.#view.setUint32(this.#length, to, true);
    this.#view.setFloat64(this.#length + 4, row, true);
    this.#length += 12;
    for (const [c, column] of this.#columns.entries()) {
      if (column.as === "text") this.#addText((cells[c] as readonly (string | null)[])[at]!);
      else this.#addNumbers(cells[c] as Float64Array, at, widthOf(column));
    }
  }

  /** The bytes since the last call of `take` */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The bytes since the last call; they count until the next row is added. */
  take(): Buffer {
    const taken = this.written;
    this.#length = 0;
    if (this.#bytes.length > mostKept) {
      this.#bytes = Buffer.allocUnsafeSlow(4096);
      this.#view = viewOf(this.#bytes);
    }
    return taken;
  }

  #addNumbers(values: Float64Array, at: number, width: number): void {
    this.#reserve(8 * width);
    for (let k = 0; k < width; k++, this.#length += 8)
      this.#view.setFloat64(this.#length, values[at * width + k]!, true);
  }

  #addText(text: string | null): void {
    const size = text === null ? 0 : Buffer.byteLength(text);
    this.#reserve(4 + size);
    this.#view.setUint32(this.#length, text === null ? noText : size, true);
    this.#length += 4;
    if (text !== null) this.#length += this.#bytes.write(text, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
    this.#view = viewOf(grown);
  }
}

/** Engines write and read numbers through such a view in one instruction, where those of Buffer take byte by byte. */
function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Puts the rows of these bytes where they belong, a later row over an earlier one. */
export function placeRows(
  bytes: Buffer,
  columns: readonly WantedColumn[],
  cells: readonly OwnCells[],
  rows: Float64Array,
): void {
  const view = viewOf(bytes);
  let at = 0;
  while (at < bytes.length) {
    const to = view.getUint32(at, true);
    rows[to] = view.getFloat64(at + 4, true);
    at += 12;
    for (const [c, column] of columns.entries()) {
      if (column.as === "text") {
        const size = view.getUint32(at, true);
        at += 4;
        const length = size === noText ? 0 : size;
        (cells[c] as (string | null)[])[to] = size === noText ? null : bytes.toString("utf8", at, at + length);
        at += length;
        continue;
      }
      const width = widthOf(column);
      const values = cells[c] as Float64Array;
      for (let k = 0; k < width; k++, at += 8) values[to * width + k] = view.getFloat64(at, true);
    }
  }
}
