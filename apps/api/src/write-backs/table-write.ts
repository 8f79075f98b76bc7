import type { vectorColumns, writeBackModes } from "@hopwise/contracts";
import type { TableShape } from "@hopwise/gnn-core/spec";

/** Rows that are to be written, and where. */
export interface TableWrite {
  readonly schema: string;
  readonly table: string;
  readonly mode: (typeof writeBackModes)[number];
  readonly vector: (typeof vectorColumns)[number];
  /** What the lines of the export hold. */
  readonly shape: TableShape;
  /** Other names of columns, by those of the export. */
  readonly names: Readonly<Record<string, string>>;
  /** By which a table is known again that an earlier run of this one has made. */
  readonly mark: string;
  /** The comment of a table that is made, which has the mark in it. */
  readonly comment: string;
  /** The export from its first line on, each time. */
  readonly lines: () => AsyncIterable<Uint8Array>;
  readonly onRows: (rows: number) => void;
  /** What the database is at when no row goes out; null: rows do. */
  readonly onWaiting: (reason: string | null) => Promise<void>;
  /** Before the database is told to keep the rows; what it throws leaves it as it was. */
  readonly onCommitting: () => Promise<void>;
}
