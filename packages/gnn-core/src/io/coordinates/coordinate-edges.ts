import { GnnError } from "../../errors/gnn-error.ts";
import type { ColumnInfo, IntegerBatch, TableBatch, TableSource } from "../table-source.ts";
import type { WantedColumn } from "../wanted-column.ts";
import type { CoordinateFacts } from "./coordinate-facts.ts";
import { idOfKind } from "./numbered-nodes.ts";

/** The column of a numbered end, and which of two kinds its nodes are of */
const endColumns: Readonly<Record<string, 0 | 1>> = { src: 0, dst: 1 };

/**
 * The rows of a file of numbered ends, held to what its first lines say: as many as these promise, and no number beyond
 * the last node. Where nodes are of two kinds, their ids say of which.
 *
 * @param table the rows as they are written, with the ends in `src` and `dst`
 */
export class CoordinateEdges implements TableSource {
  readonly columns: readonly ColumnInfo[];
  readonly directed: boolean;
  readonly notes: readonly string[];
  readonly readIntegers?: NonNullable<TableSource["readIntegers"]>;
  readonly #table: TableSource;
  readonly #facts: CoordinateFacts;
  readonly #file: string;

  constructor(table: TableSource, facts: CoordinateFacts, file: string) {
    this.#table = table;
    this.#facts = facts;
    this.#file = file;
    this.directed = facts.directed;
    this.notes = facts.kinds ? [twoKinds(facts.kinds)] : [];
    this.columns = table.columns.map((column) =>
      facts.kinds && column.name in endColumns ? { name: column.name, type: "text" } : column,
    );
    if (table.readIntegers && !facts.kinds)
      this.readIntegers = (ids, numbers) => this.#integers(table.readIntegers!(ids, numbers), ids);
  }

  async *read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch> {
    let rows = 0;
    for await (const batch of this.#table.read(columns)) {
      const found: TableBatch["columns"][number][] = [];
      for (const [i, cells] of batch.columns.entries()) found.push(await this.#checked(cells, columns[i]!, rows));
      yield { numRows: batch.numRows, columns: found };
      rows += batch.numRows;
    }
    this.#checkRows(rows);
  }

  lineOf(row: number): Promise<number> {
    return this.#table.lineOf(row);
  }

  close(): Promise<void> {
    return this.#table.close();
  }

  async *#integers(
    batches: AsyncGenerator<IntegerBatch, boolean, undefined>,
    names: readonly string[],
  ): AsyncGenerator<IntegerBatch, boolean, undefined> {
    let rows = 0;
    for (;;) {
      const next = await batches.next();
      if (next.done) {
        if (next.value) this.#checkRows(rows);
        return next.value;
      }
      for (const [i, ids] of next.value.ids.entries()) {
        const most = this.#mostOf(names[i]!);
        const row = most === null ? -1 : ids.findIndex((id) => !(id >= 1 && id <= most));
        if (row >= 0) throw await this.#outside(String(ids[row]), names[i]!, rows + row);
      }
      yield next.value;
      rows += next.value.numRows;
    }
  }

  async #checked(cells: TableBatch["columns"][number], { name }: WantedColumn, firstRow: number) {
    const kind = endColumns[name];
    if (kind === undefined || cells instanceof Float64Array) return cells;
    const texts: readonly (string | null)[] = cells;
    const most = this.#mostOf(name);
    const isNumber = (text: string | null) => text !== null && /^\d{1,15}$/.test(text) && Number(text) >= 1;
    const bad = texts.findIndex((text) => !isNumber(text) || (most !== null && Number(text) > most));
    if (bad >= 0) throw await this.#outside(texts[bad] ?? "", name, firstRow + bad);
    const { kinds } = this.#facts;
    return kinds ? texts.map((text) => idOfKind(kinds[kind], text!)) : texts;
  }

  /** The last node that the column may name */
  #mostOf(name: string): number | null {
    const { numSources, numTargets } = this.#facts;
    const kind = endColumns[name];
    if (kind === undefined) return null;
    return kind === 1 ? (numTargets ?? numSources) : numSources;
  }

  #checkRows(rows: number): void {
    const { numRows } = this.#facts;
    if (numRows === null || rows === numRows) return;
    const file = this.#file;
    const message = `${file}: found ${rows} rows, expected ${numRows} as its line of sizes says: it may be cut off. Fetch it again, or correct that line.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
  }

  async #outside(found: string, field: string, row: number): Promise<GnnError> {
    const file = this.#file;
    const line = await this.lineOf(row);
    const most = this.#mostOf(field);
    const expected = most === null ? "a number from 1" : `a number from 1 to ${most}`;
    const message = `${file}, line ${line}, column "${field}": found "${found.slice(0, 40)}", expected ${expected}.`;
    return new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line, field } });
  }
}

function twoKinds([source, target]: readonly [string, string]): string {
  return `edges join nodes of two kinds, which are both numbered from 1: they are called ${idOfKind(source, "1")} and ${idOfKind(target, "1")}.`;
}
