import type { LookupFunction } from "node:net";
import type { DatabaseAddress } from "./database-address.ts";

/** How a column's texts are written as JSON: numbers digit for digit, JSON as it is, the rest as texts. */
export type SqlKind = "number" | "boolean" | "json" | "array" | "text";

export interface SqlColumn {
  readonly name: string;
  readonly kind: SqlKind;
}

/** Rows of an answer: each value as the database writes it, null where it has none. */
export interface SqlBatch {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A connection in one transaction that reads, on one snapshot of the database. */
export interface SqlSession {
  /** The answer of one statement, a bounded piece at a time; the columns come first, with no rows if there are none. */
  batches(query: string): AsyncGenerator<SqlBatch>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly address: DatabaseAddress;
  readonly user: string;
  readonly password: string;
  /** Looks the host up, and refuses addresses that are not allowed. */
  readonly lookup: LookupFunction;
  /** How long a statement may take. */
  readonly querySeconds: number;
  readonly signal: AbortSignal;
}

export const connectSeconds = 20;
