import type { NodesSection } from "../dataset-spec.ts";
import type { WantedColumn } from "../wanted-column.ts";
import { type Cells, copyCell, emptyCells, rowsWithin, widthOf } from "./cells.ts";
import { type IngestContext, type PlacedBatch, readSection } from "./ingest-context.ts";
import type { LastRows } from "./last-rows.ts";
import { placeOfRow } from "./place-of-row.ts";

/** What rows that stand in the place of earlier ones may take in memory at a time. */
const windowBytes = 64 << 20;

/**
 * Streams the rows of a section of nodes, each of `last.firsts` with the cells of the last row of its id, and without
 * the later rows where these stand: as if the files had been written so.
 *
 * @param last null: all rows stay where they are
 * @param rowsAtOnce rows of `last.firsts` that are held at a time; each such number reads the later files once more
 */
export async function* readNodeSection(
  context: IngestContext,
  section: NodesSection,
  columns: readonly WantedColumn[],
  phase: string,
  last: LastRows | null,
  rowsAtOnce = rowsWithin(windowBytes, columns),
): AsyncIterable<PlacedBatch> {
  if (last === null) {
    yield* readSection(context, section, columns, phase);
    return;
  }
  const replacing = new ReplacingRows(context, section, columns, last, rowsAtOnce);
  for await (const batch of readSection(context, section, columns, phase)) {
    const kept = await replacing.take(batch);
    if (kept.numRows > 0) yield kept;
  }
}

class ReplacingRows {
  readonly #context: IngestContext;
  readonly #section: NodesSection;
  readonly #columns: readonly WantedColumn[];
  readonly #last: LastRows;
  readonly #rowsAtOnce: number;
  /** Row of all files that the next batch begins with */
  #row = 0;
  #numLater = 0;
  #numFirsts = 0;
  /** Cells of the last rows of `firsts` from this one on */
  #window: { readonly first: number; readonly cells: readonly Cells[] } = { first: 0, cells: [] };

  constructor(
    context: IngestContext,
    section: NodesSection,
    columns: readonly WantedColumn[],
    last: LastRows,
    rowsAtOnce: number,
  ) {
    this.#context = context;
    this.#section = section;
    this.#columns = columns;
    this.#last = last;
    this.#rowsAtOnce = rowsAtOnce;
  }

  /** The rows of the batch that have a place, with the cells that stand there. */
  async take(batch: PlacedBatch): Promise<PlacedBatch> {
    const { later, firsts, lasts } = this.#last;
    const firstRow = this.#row;
    const rows: number[] = [];
    const replaced: { readonly at: number; readonly index: number }[] = [];
    for (let i = 0; i < batch.numRows; i++) {
      const row = firstRow + i;
      if (later[this.#numLater] === row) {
        this.#numLater++;
        continue;
      }
      if (firsts[this.#numFirsts] === row) replaced.push({ at: rows.length, index: this.#numFirsts++ });
      rows.push(row);
    }
    this.#row += batch.numRows;
    if (rows.length === batch.numRows && replaced.length === 0) return batch;
    const columns = batch.columns.map((cells, c) => {
      const taken = emptyCells(this.#columns[c]!, rows.length);
      for (const [to, row] of rows.entries()) copyCell(cells, row - firstRow, taken, to, widthOf(this.#columns[c]!));
      return taken;
    });
    for (const { at, index } of replaced) {
      await this.#reach(index);
      for (const [c, taken] of columns.entries()) {
        copyCell(this.#window.cells[c]!, index - this.#window.first, taken, at, widthOf(this.#columns[c]!));
      }
      rows[at] = lasts[index]!;
    }
    const { files, reader } = this.#section;
    const placeOf = (row: number) => placeOfRow(this.#context, files, reader, rows[row]!);
    return { ...batch, numRows: rows.length, columns, placeOf };
  }

  /** Reads the last rows of `firsts` from this one on, where they are not at hand. */
  async #reach(index: number): Promise<void> {
    const { first, cells } = this.#window;
    if (cells.length > 0 && index < first + this.#rowsAtOnce) return;
    const wanted = this.#last.lasts.subarray(index, index + this.#rowsAtOnce);
    this.#window = { first: index, cells: await this.#cellsOf(wanted) };
  }

  /** The cells of these rows, in their order; files without any of them are not opened. */
  async #cellsOf(wanted: Float64Array): Promise<readonly Cells[]> {
    const found = this.#columns.map((column) => emptyCells(column, wanted.length));
    const order = Uint32Array.from(wanted.keys()).toSorted((a, b) => wanted[a]! - wanted[b]!);
    let next = 0;
    let firstRow = 0;
    for (const { file, rows } of this.#last.files) {
      const end = firstRow + rows;
      if (next < order.length && wanted[order[next]!]! < end) {
        const section = { files: [file], reader: this.#section.reader };
        for await (const batch of readSection(this.#context, section, this.#columns, "read later rows")) {
          const start = firstRow + batch.firstRow;
          for (; next < order.length && wanted[order[next]!]! < start + batch.numRows; next++) {
            const [to, from] = [order[next]!, wanted[order[next]!]! - start];
            for (const [c, column] of this.#columns.entries())
              copyCell(batch.columns[c]!, from, found[c]!, to, widthOf(column));
          }
          if (next === order.length || wanted[order[next]!]! >= end) break;
        }
      }
      firstRow = end;
    }
    return found;
  }
}
