import type { DuckDBDataChunk } from "@duckdb/node-api";
import { GnnError } from "../../errors/gnn-error.ts";
import { sqlWithDecimalPoint } from "../dialect/decimal-sign.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import { listShapeOf } from "../list-cells.ts";
import { saysMissing, sqlNumberOf } from "../missing-words.ts";
import { decoratedNumbers } from "../preview/column-values.ts";
import type { ColumnInfo, IntegerBatch, TableBatch, TableSource, TextIdBatch } from "../table-source.ts";
import { vectorsOf, type WantedColumn } from "../wanted-column.ts";
import { type DuckDb, isOutOfMemory } from "./connect.ts";

export interface DuckDbTableOptions {
  readonly duckDb: DuckDb;
  /** What the user calls the file. */
  readonly name: string;
  readonly limits: ReadingLimits;
  readonly columns: readonly ColumnInfo[];
  readonly dialect?: Dialect;
  /** FROM clause over the file. */
  readonly from: string;
  /** SQL expression of the column at this position. */
  readonly expression: (column: number) => string;
  readonly lineOf: (row: number) => Promise<number>;
  /** `TableSource.readIntegers` for the columns at these positions, when the file has such a way. */
  readonly readIntegers?: (
    ids: readonly number[],
    numbers: readonly number[],
  ) => AsyncGenerator<IntegerBatch, boolean, undefined>;
  /** `TableSource.readTextIds`, likewise. */
  readonly readTextIds?: (
    ids: readonly number[],
    numbers: readonly number[],
  ) => AsyncGenerator<TextIdBatch, boolean, undefined>;
  /** Turns what DuckDB said into an error of ours, with its place. */
  readonly explain: (error: unknown) => Promise<GnnError>;
}

interface Wanted {
  readonly name: string;
  /** A vector is text to DuckDB. */
  readonly as: "text" | "number";
  /** Left out: the column is no vector */
  readonly vector?: { readonly width: number; readonly mayBeMissing?: boolean };
  /** The value as the file has it */
  readonly sql: string;
  /** The value as DuckDB casts it to a number */
  readonly number: string;
}

/** A file that DuckDB reads, in file order, with text exactly as written. */
export class DuckDbTable implements TableSource {
  readonly columns: readonly ColumnInfo[];
  readonly dialect?: Dialect;
  readonly directed?: boolean | null;
  readonly readIntegers?: NonNullable<TableSource["readIntegers"]>;
  readonly readTextIds?: NonNullable<TableSource["readTextIds"]>;
  readonly #options: DuckDbTableOptions;

  constructor(options: DuckDbTableOptions) {
    this.#options = options;
    this.columns = options.columns;
    if (options.dialect) {
      this.dialect = options.dialect;
      this.directed = options.dialect.directed;
    }
    const { readIntegers, readTextIds } = options;
    const positions = (names: readonly string[]) => names.map((name) => this.#positionOf(name));
    if (readIntegers) this.readIntegers = (ids, numbers) => readIntegers(positions(ids), positions(numbers));
    if (readTextIds) this.readTextIds = (ids, numbers) => readTextIds(positions(ids), positions(numbers));
  }

  async *read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch> {
    const decimal = this.dialect?.decimal ?? ".";
    const wanted = columns.map((column): Wanted => {
      const { name, mayBeMissing = false } = column;
      const position = this.#positionOf(name);
      const sql = this.#options.expression(position);
      const number = sqlWithDecimalPoint(sql, decimal);
      if (column.as === "vector") return { name, as: "text", vector: column, sql, number };
      // Most columns hold digits alone, and need no look at their words.
      const hasWords = mayBeMissing || this.columns[position]!.type === "boolean";
      return { name, as: column.as, sql, number: hasWords ? sqlNumberOf(sql, number, mayBeMissing) : number };
    });
    const hasNumbers = wanted.some(({ as }) => as === "number");
    let firstRow = 0;
    for await (const chunk of this.#chunks(wanted)) {
      if (hasNumbers) await this.#refuseBadNumbers(chunk, wanted, firstRow);
      const numRows = isEnd(chunk, wanted.length) ? chunk.rowCount - 1 : chunk.rowCount;
      const rows = firstRow;
      const values = wanted.map((column, i) => this.#valuesOf(column, columnOf(chunk, i, column.as, numRows), rows));
      if (numRows > 0) yield { numRows, columns: await Promise.all(values) };
      firstRow += numRows;
    }
  }

  lineOf(row: number): Promise<number> {
    return this.#options.lineOf(row);
  }

  async #valuesOf({ name, vector }: Wanted, values: (string | null)[] | Float64Array, firstRow: number) {
    if (!vector || values instanceof Float64Array) return values;
    const lineOf = (row: number) => this.lineOf(firstRow + row);
    return vectorsOf(values, vector, { file: this.#options.name, field: name, lineOf });
  }

  async close(): Promise<void> {
    this.#options.duckDb.close();
  }

  /**
   * DuckDB ends a stream that fails half-way as if it had come to its end, and says nothing. So a last row of our own
   * follows the file's rows; without it the file is read again, unstreamed, to hear what was wrong.
   */
  async *#chunks(wanted: readonly Wanted[]): AsyncIterable<DuckDBDataChunk> {
    const { duckDb, from } = this.#options;
    let isWhole = false;
    try {
      const result = await duckDb.connection.stream(streamedQuery(wanted, from));
      for (;;) {
        const chunk = await result.fetchChunk();
        if (!chunk || chunk.rowCount === 0) break;
        isWhole = isEnd(chunk, wanted.length);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof GnnError ? error : await this.#explain(error);
    }
    if (!isWhole) throw await this.#explain(await this.#failure(wanted));
  }

  async #explain(error: unknown): Promise<GnnError> {
    const { name, limits } = this.#options;
    if (!isOutOfMemory(error)) return this.#options.explain(error);
    return overLimit(name, "its rows need more bytes of memory than they may have", limits.memoryBytes);
  }

  async #failure(wanted: readonly Wanted[]): Promise<unknown> {
    const counts = wanted.map(({ sql }) => `count(${sql})`).join(", ");
    return this.#options.duckDb.connection.runAndReadAll(`SELECT ${counts} FROM ${this.#options.from}`).then(
      () => new Error("The stream ended early."),
      (error: unknown) => error,
    );
  }

  #positionOf(name: string): number {
    const position = this.columns.findIndex((column) => column.name === name);
    if (position >= 0) return position;
    const there = this.columns.map((column) => column.name).join(", ");
    const file = this.#options.name;
    throw new GnnError("DATASET_COLUMN_MISSING", `${file} has no column "${name}"; its columns are: ${there}.`, {
      place: { file, line: 1, field: name },
    });
  }

  async #refuseBadNumbers(chunk: DuckDBDataChunk, wanted: readonly Wanted[], firstRow: number): Promise<void> {
    const row = chunk
      .getColumnVector(wanted.length + 1)
      .toArray()
      .indexOf(true);
    if (row < 0) return;
    const { duckDb, from, name: file } = this.#options;
    const numbers = wanted.filter(({ as }) => as === "number");
    const texts = numbers.map(({ sql, number }) => `CAST(${sql} AS VARCHAR), ${isBadNumber(number)}`).join(", ");
    const found = await duckDb.connection.runAndReadAll(
      `SELECT ${texts} FROM ${from} LIMIT 1 OFFSET ${firstRow + row}`,
    );
    const values = found.getRows()[0] ?? [];
    const bad = numbers.findIndex((_, i) => values[2 * i + 1] === true);
    const field = numbers[bad]?.name ?? "";
    const line = await this.#options.lineOf(firstRow + row);
    const text = String(values[2 * bad]);
    const message = `${file}, line ${line}: "${text.slice(0, 80)}" in column "${field}" is not a finite number${hintOn(text)}.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line, field } });
  }
}

/** What else it may be, and what to do. */
function hintOn(text: string): string {
  if (saysMissing(text)) return "; correct it, or say in features.missing what to take where a feature is not known";
  const what = decoratedNumbers([text.trim()]);
  if (what !== null) return `: it looks like ${what}`;
  const list = listShapeOf([text]);
  if (list?.width) return `, but a list of ${list.width}: say in widths how many numbers the column has in each row`;
  return "; correct it, or leave the column out";
}

/** The columns, then whether this is the row behind the last, then whether some number of the row is none. */
function streamedQuery(wanted: readonly Wanted[], from: string): string {
  const values = wanted.map(({ as, sql, number }) =>
    as === "text" ? `CAST(${sql} AS VARCHAR)` : `coalesce(TRY_CAST(${number} AS DOUBLE), 'nan'::DOUBLE)`,
  );
  const flags = wanted.filter(({ as }) => as === "number").map(({ number }) => isBadNumber(number));
  const rows = [...values, "false", flags.length > 0 ? flags.join(" OR ") : "false"].join(", ");
  const end = [...wanted.map(({ as }) => (as === "text" ? "NULL::VARCHAR" : "0::DOUBLE")), "true", "false"].join(", ");
  return `SELECT ${rows} FROM ${from} UNION ALL SELECT ${end}`;
}

function isEnd(chunk: DuckDBDataChunk, flag: number): boolean {
  return chunk.getColumnVector(flag).getItem(chunk.rowCount - 1) === true;
}

/** Also `1_000`, which DuckDB's own cast takes. */
function isBadNumber(sql: string): string {
  const text = `CAST(${sql} AS VARCHAR)`;
  return `(${sql} IS NOT NULL AND (contains(${text}, '_') OR NOT coalesce(isfinite(TRY_CAST(${sql} AS DOUBLE)), false)))`;
}

function columnOf(
  chunk: DuckDBDataChunk,
  index: number,
  as: "text" | "number",
  numRows: number,
): (string | null)[] | Float64Array {
  const values = chunk.getColumnVector(index).toArray();
  values.length = numRows;
  return as === "text" ? (values as (string | null)[]) : Float64Array.from(values as number[]);
}
