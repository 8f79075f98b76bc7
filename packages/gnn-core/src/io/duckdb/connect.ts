import type { DuckDBConnection } from "@duckdb/node-api";
import { GnnError } from "../../errors/gnn-error.ts";

/** One in-memory DuckDB; nothing is shared with another. */
export interface DuckDb {
  readonly connection: DuckDBConnection;
  close(): void;
}

/**
 * Loads DuckDB on first use, so that spec discovery stays free of native code.
 *
 * @throws GnnError DEPENDENCY_MISSING when it is not installed: it is an optional peer, for readers and writers of tables
 */
export async function connectDuckDb(): Promise<DuckDb> {
  const { DuckDBInstance } = await importDuckDb();
  // No extension is ever fetched; what we read and write is built in.
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function importDuckDb() {
  try {
    return await import("@duckdb/node-api");
  } catch (cause) {
    throw new GnnError(
      "DEPENDENCY_MISSING",
      "Tables are read with DuckDB, and @duckdb/node-api cannot be loaded; npm install @duckdb/node-api@1.5.6-r.1.",
      { cause },
    );
  }
}

export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A path for DuckDB's readers, which take `*`, `?` and `[` for patterns. */
export function sqlPath(path: string): string {
  return sqlText(path.replaceAll(/[*?[]/g, (found) => `[${found}]`));
}
