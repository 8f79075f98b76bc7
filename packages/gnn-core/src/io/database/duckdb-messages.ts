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

/** What the process that reads a DuckDB database is asked, one thing at a time. */
export type ToDuckDbReader =
  | { readonly ask: "tables"; readonly path: string; readonly memoryBytes: number }
  /** Begins to read the answer of a query, whose one column holds lines */
  | { readonly ask: "read"; readonly query: string }
  | { readonly ask: "next" };

/** What it answers. */
export type FromDuckDbReader =
  | { readonly answer: "tables"; readonly tables: readonly DuckDbFileTable[]; readonly notes: readonly string[] }
  | { readonly answer: "reading" }
  /** No rows: there are no more */
  | ({ readonly answer: "lines" } & RowLines)
  | SaidFailed;
