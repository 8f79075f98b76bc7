import type { DuckDBConnection } from "@duckdb/node-api";
import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";

/** One in-memory DuckDB; nothing is shared with another. */
export interface DuckDb {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** DuckDB cannot start with less. */
const minMemory = 32 * 2 ** 20;

/** Whether a query failed because DuckDB had reached its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Out of Memory Error");
}

/**
 * Loads DuckDB on first use, so that spec discovery stays free of native code.
 *
 * @param memoryBytes what its queries may hold
 * @throws GnnError DEPENDENCY_MISSING when it is not installed: it is an optional peer, for readers and writers of
 * tables
 */
export async function connectDuckDb({ memoryBytes }: Pick<ReadingLimits, "memoryBytes">): Promise<DuckDb> {
  const { DuckDBInstance } = await importDuckDb();
  // No extension is ever fetched; what we read and write is built in.
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    memory_limit: `${Math.max(minMemory, Math.floor(memoryBytes.most))}B`,
    // What does not fit is an error of the file, nothing to fill a disk with: rows are only ever streamed.
    temp_directory: "",
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
