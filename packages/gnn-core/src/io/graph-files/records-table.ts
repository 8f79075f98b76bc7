import { GnnError } from "../../errors/gnn-error.ts";
import { lookOf } from "../column-type.ts";
import { saysMissing, truthOf } from "../missing-words.ts";
import { decoratedNumbers } from "../preview/column-values.ts";
import type { ColumnInfo, TableBatch, TableSource } from "../table-source.ts";
import { vectorsOf, type WantedColumn } from "../wanted-column.ts";
import type { RecordColumns } from "./record-columns.ts";

const batchRows = 8192;
const typeSample = 20_480;

/** Nodes or edges of a graph file, all of them in memory. */
export class RecordsTable implements TableSource {
  readonly columns: readonly ColumnInfo[];
  readonly directed: boolean | null;
  readonly notes: readonly string[];
  readonly #file: string;
  readonly #records: RecordColumns;

  constructor(file: string, records: RecordColumns, notes: readonly string[] = []) {
    this.notes = notes;
    this.#file = file;
    this.#records = records;
    this.directed = records.directed;
    this.columns = [...records.columns].map(([name, values]) => ({
      name,
      ...lookOf(values.slice(0, typeSample).map((value) => value ?? null)),
    }));
  }

  async *read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch> {
    const numRows = this.#records.lines.length;
    for (const { name } of columns) this.#valuesOf(name);
    for (let first = 0; first < numRows; first += batchRows) {
      const end = Math.min(first + batchRows, numRows);
      const sliced = await Promise.all(columns.map((column) => this.#slice(column, first, end)));
      yield { numRows: end - first, columns: sliced };
    }
  }

  async lineOf(row: number): Promise<number> {
    return this.#records.lines[row] ?? row + 1;
  }

  async close(): Promise<void> {}

  async #slice(column: WantedColumn, first: number, end: number): Promise<(string | null)[] | Float64Array> {
    const { name } = column;
    const values = this.#valuesOf(name);
    const texts = Array.from({ length: end - first }, (_, i) => values[first + i] ?? null);
    if (column.as === "vector") {
      const lineOf = (row: number) => this.lineOf(first + row);
      return vectorsOf(texts, column, { file: this.#file, field: name, lineOf });
    }
    return column.as === "text"
      ? texts
      : Float64Array.from(texts, (text, i) => this.#numberOf(text, column, first + i));
  }

  #valuesOf(name: string): readonly (string | null | undefined)[] {
    const found = this.#records.columns.get(name);
    if (found) return found;
    const there = this.columns.map((column) => column.name).join(", ");
    throw new GnnError("DATASET_COLUMN_MISSING", `${this.#file} has no column "${name}"; its columns are: ${there}.`, {
      place: { file: this.#file, line: 1, field: name },
    });
  }

  #numberOf(text: string | null, { name: field, mayBeMissing = false }: WantedColumn, row: number): number {
    if (text === null || text.trim() === "" || (mayBeMissing && saysMissing(text))) return Number.NaN;
    const isBoolean = this.columns.find(({ name }) => name === field)?.type === "boolean";
    const truth = isBoolean || mayBeMissing ? truthOf(text) : null;
    const value = truth ?? Number(text);
    if (Number.isFinite(value)) return value;
    const what = decoratedNumbers([text.trim()]);
    const hint = what === null ? "; correct it, or leave the column out" : `: it looks like ${what}`;
    const line = this.#records.lines[row] ?? row + 1;
    const message = `${this.#file}, line ${line}: "${text}" in column "${field}" is not a finite number${hint}.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file: this.#file, line, field } });
  }
}
