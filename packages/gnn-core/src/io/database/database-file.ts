import type { DatabaseTable } from "./database-tables.ts";
import type { PlannedFile } from "./planned-files.ts";

/** Some rows as lines of JSON, each ended. */
export interface RowLines {
  readonly lines: string;
  readonly rows: number;
}

/** A file that is a database. Its tables are read as they are stored; no SQL of the file is run. */
export interface DatabaseFile {
  readonly tables: readonly DatabaseTable[];
  /** What of it is not read, in sentences */
  readonly notes: readonly string[];
  /**
   * The rows of a file that is made of a table, an object each, in pieces. Numbers, texts and nothing are kept apart.
   *
   * @param most how many rows are wanted; null: all
   */
  lines(planned: PlannedFile, most: number | null): AsyncGenerator<RowLines, void, undefined>;
  close(): Promise<void>;
}
