import type { DatabaseTable } from "./database-tables.ts";

/** A value of a row: a number as it is written, or a text; null: there is none. */
export type DatabaseValue = { readonly kind: "number" | "text"; readonly text: string } | null;

/** The values of a row, in the order of the table's columns */
export type DatabaseRow = readonly DatabaseValue[];

/** A file that is a database. Its tables are read as they are stored; no SQL of the file is run. */
export interface DatabaseFile {
  readonly tables: readonly DatabaseTable[];
  /** What of it is not read, in sentences */
  readonly notes: readonly string[];
  rows(table: number): AsyncGenerator<DatabaseRow>;
  close(): Promise<void>;
}
