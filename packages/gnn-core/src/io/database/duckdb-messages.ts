import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { SaidFailed } from "../reading-process.ts";
import type { RowLines } from "./database-file.ts";
import type { DatabaseTable } from "./database-tables.ts";

/** What the file is called in queries */
export const attachedAs = "file";

/** A table of a DuckDB database, with the types of its columns as DuckDB writes them: the first and last letters. */
export interface DuckDbFileTable extends DatabaseTable {
  readonly types: readonly string[];
  /** The schema that it lies in, which is not a part of its name where it is the usual one */
  readonly stored: string;
}

/** A query that somebody wrote. */
export interface OwnQuery {
  /** The file that it stands in */
  readonly file: string;
  readonly text: string;
}

/** What the process that reads a DuckDB database is asked, one thing at a time. */
export type ToDuckDbReader =
  | { readonly ask: "tables"; readonly path: string; readonly memoryBytes: number }
  /** Opens the file for queries of somebody's own, and says what is wrong with one of them before any is run */
  | {
      readonly ask: "queries";
      readonly kind: "sqlite" | "duckdb";
      readonly path: string;
      readonly name: string;
      readonly limits: ReadingLimits;
      /** Where a copy of an SQLite file's tables may lie */
      readonly copyPath: string;
      readonly queries: readonly OwnQuery[];
    }
  /** Begins to read the answer of a query, whose one column holds lines */
  | { readonly ask: "read"; readonly query: string }
  /** Begins to read the answer of one of somebody's own queries */
  | { readonly ask: "run"; readonly query: OwnQuery; readonly most: number | null }
  | { readonly ask: "next" };

/** What it answers. */
export type FromDuckDbReader =
  | { readonly answer: "tables"; readonly tables: readonly DuckDbFileTable[]; readonly notes: readonly string[] }
  | { readonly answer: "opened"; readonly notes: readonly string[] }
  | { readonly answer: "reading" }
  /** What of the answer's columns is not read, in sentences */
  | { readonly answer: "running"; readonly numColumns: number; readonly notes: readonly string[] }
  /** No rows: there are no more */
  | ({ readonly answer: "lines" } & RowLines)
  | SaidFailed;
