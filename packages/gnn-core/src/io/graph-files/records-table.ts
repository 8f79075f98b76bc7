import { GnnError } from "../../errors/gnn-error.ts";
import { columnTypeOf } from "../column-type.ts";
import { decoratedNumbers } from "../preview/column-values.ts";
import type { ColumnInfo, TableBatch, TableSource } from "../table-source.ts";
import type { RecordColumns } from "./record-columns.ts";

const batchRows = 8192;
const typeSample = 20_480;

type Wanted = { readonly name: string; readonly as: "text" | "number" };

/** Nodes or edges of a graph file, all of them in memory. */
export class RecordsTable implements TableSource {
  readonly columns: readonly ColumnInfo[];
  readonly directed: boolean | null;
  readonly #file: string;
  readonly #records: RecordColumns;

  constructor(file: string, records: RecordColumns) {
    this.#file = file;
    this.#records = records;
    this.directed = records.directed;
    this.columns = [...records.columns].map(([name, values]) => ({
      name,
      type: columnTypeOf(values.slice(0, typeSample).map((value) => value ?? null)),
    }));
  }

  async *read(columns: readonly Wanted[]): AsyncIterable<TableBatch> {
    const numRows = this.#records.lines.length;
    for (const { name } of columns) this.#valuesOf(name);
    for (let first = 0; first < numRows; first += batchRows) {
      const end = Math.min(first + batchRows, numRows);
      yield { numRows: end - first, columns: columns.map((column) => this.#slice(column, first, end)) };
    }
  }

  async lineOf(row: number): Promise<number> {
    return this.#records.lines[row] ?? row + 1;
  }

  async close(): Promise<void> {}

  #slice({ name, as }: Wanted, first: number, end: number): (string | null)[] | Float64Array {
    const values = this.#valuesOf(name);
    const texts = Array.from({ length: end - first }, (_, i) => values[first + i] ?? null);
    return as === "text" ? texts : Float64Array.from(texts, (text, i) => this.#numberOf(text, name, first + i));
  }

  #valuesOf(name: string): readonly (string | null | undefined)[] {
    const found = this.#records.columns.get(name);
    if (found) return found;
    const there = this.columns.map((column) => column.name).join(", ");
    throw new GnnError("DATASET_COLUMN_MISSING", `${this.#file} has no column "${name}"; its columns are: ${there}.`, {
      place: { file: this.#file, line: 1, field: name },
    });
  }

  #numberOf(text: string | null, field: string, row: number): number {
    if (text === null || text.trim() === "") return Number.NaN;
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    const what = decoratedNumbers([text.trim()]);
    const hint = what === null ? "; correct it, or leave the column out" : `: it looks like ${what}`;
    const line = this.#records.lines[row] ?? row + 1;
    const message = `${this.#file}, line ${line}: "${text}" in column "${field}" is not a finite number${hint}.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file: this.#file, line, field } });
  }
}
