import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";

/** One in-memory DuckDB; nothing is shared with another. */
export interface DuckDb {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** Beside each other, for tables that are joined as they are read */
const mostKept = 2;
const kept = new Map<number, DuckDBInstance[]>();

/** DuckDB cannot start with less. */
const minMemory = 32 * 2 ** 20;

/** Whether a query failed because DuckDB had reached its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Out of Memory Error");
}

/**
 * A DuckDB to select from files with, which leaves no mark on it: starting and ending one costs 30 ms, so that closing
 * it keeps it for the next table of the process.
 *
 * @param memoryBytes what its queries may hold
 * @throws what `connectDuckDb` throws
 */
export async function borrowDuckDb({ memoryBytes }: Pick<ReadingLimits, "memoryBytes">): Promise<DuckDb> {
  const instances = kept.get(memoryBytes.most) ?? [];
  kept.set(memoryBytes.most, instances);
  const instance = instances.pop() ?? (await startDuckDb(memoryBytes.most));
  const connection = await instance.connect();
  let isClosed = false;
  return {
    connection,
    close() {
      if (isClosed) return;
      isClosed = true;
      connection.closeSync();
      if (instances.length < mostKept) instances.push(instance);
      else instance.closeSync();
    },
  };
}

/**
 * A DuckDB of one's own, to set, attach and create in.
 *
 * @param memoryBytes what its queries may hold
 * @throws GnnError DEPENDENCY_MISSING when it is not installed: it is an optional peer, for readers and writers of
 * tables
 */
export async function connectDuckDb({ memoryBytes }: Pick<ReadingLimits, "memoryBytes">): Promise<DuckDb> {
  const instance = await startDuckDb(memoryBytes.most);
  const connection = await instance.connect();
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Loads DuckDB on first use, so that spec discovery stays free of native code. */
async function startDuckDb(memoryBytes: number): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await importDuckDb();
  // No extension is ever fetched; what we read and write is built in.
  return DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    memory_limit: `${Math.max(minMemory, Math.floor(memoryBytes))}B`,
    // What does not fit is an error of the file, nothing to fill a disk with: rows are only ever streamed.
    temp_directory: "",
    // A file is read once, or again because it has changed.
    enable_external_file_cache: "false",
  });
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
