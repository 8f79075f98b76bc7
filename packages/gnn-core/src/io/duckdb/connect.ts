import type { DuckDBConnection } from "@duckdb/node-api";

/** One in-memory DuckDB; nothing is shared with another. */
export interface DuckDb {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Loads DuckDB on first use, so that spec discovery stays free of native code. */
export async function connectDuckDb(): Promise<DuckDb> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
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
