import type { Dialect } from "./dialect/dialect.ts";
import type { ListShape } from "./list-cells.ts";
import type { WantedColumn } from "./wanted-column.ts";

/** A column as the preview shows it. */
export interface ColumnInfo {
  readonly name: string;
  /** int64, double, text, boolean, list or other: what the values look like, never how ids are read. */
  readonly type: "int64" | "double" | "text" | "boolean" | "list" | "other";
  /** What lists of numbers have in common, as far as was looked */
  readonly list?: ListShape;
}

/**
 * A batch of rows, column by column, in the order asked for. Nulls are null; ids are always text. Of a vector column of
 * width w, row r has the values [r · w, (r + 1) · w).
 */
export interface TableBatch {
  readonly numRows: number;
  readonly columns: readonly (readonly (string | null)[] | Float64Array)[];
}

/** A batch of rows whose ids are canonical decimals of at most 15 digits, as the numbers they name. */
export interface IntegerBatch {
  readonly numRows: number;
  /** One array per id column asked for. */
  readonly ids: readonly Float64Array[];
  /** One array per number column asked for: finite float32 values, none empty. */
  readonly numbers: readonly Float64Array[];
}

/** A batch of rows whose ids are texts without blanks around them, in UTF-8 and none of them empty. */
export interface TextIdBatch {
  readonly numRows: number;
  /** The texts one behind the other */
  readonly bytes: Uint8Array;
  /** Row by row, id column by id column: text i is the bytes from `offsets[i]` to `offsets[i + 1]`. */
  readonly offsets: Uint32Array;
  /** One array per number column asked for: finite float32 values, none empty. */
  readonly numbers: readonly Float64Array[];
  /** Rows whose first id begins as comments do, or that have an id such as `3.0`: a report may tell of them. */
  readonly odd: Int32Array;
}

/** One file read as a table. Text columns come as text exactly as written: `007` stays `007`. */
export interface TableSource {
  readonly columns: readonly ColumnInfo[];
  /** How delimited text was read, and why */
  readonly dialect?: Dialect;
  /** Whether the file says that its edges have a direction; null or left out: it does not say. */
  readonly directed?: boolean | null;
  /** What of the file is no row, in sentences for whoever uploaded it */
  readonly notes?: readonly string[];
  /**
   * Streams rows in file order. `as: "text"` never converts; `as: "number"` gives Float64Array with NaN for null, and
   * `as: "vector"` one with `width` numbers for each row, all of them NaN for null.
   * @throws GnnError DATASET_COLUMN_MISSING, DATASET_ROW_INVALID, DATASET_VALUE_INVALID with file, line, field
   */
  read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch>;
  /**
   * The fast way through a file of integer ids: streams its rows in order up to the first that it cannot take (an id
   * such as `007`, an empty or quoted value, a damaged row). Returns whether all rows were streamed; `read` gives the
   * rest, and says what is wrong with them. Left out by sources without such a way.
   */
  readIntegers?(ids: readonly string[], numbers: readonly string[]): AsyncGenerator<IntegerBatch, boolean, undefined>;
  /** The fast way through a file of ids of any text, up to the first row that it cannot take, as `readIntegers`. */
  readTextIds?(ids: readonly string[], numbers: readonly string[]): AsyncGenerator<TextIdBatch, boolean, undefined>;
  /** 1-based place of the row `row` (from 0): line of a text file, row of a columnar one. Slow: for errors only. */
  lineOf(row: number): Promise<number>;
  close(): Promise<void>;
}
