import { connectDuckDb, type DuckDb, sqlText } from "../duckdb/connect.ts";

/** A database and what DuckDB keeps beside it */
const besides = ["", ".wal", ".wal.checkpoint", ".wal.recovery"];

/**
 * A DuckDB that opens these files and no others, whatever it is asked, and whose settings cannot be set back.
 *
 * @param paths without links: DuckDB follows them before it looks whether a path is allowed
 * @throws GnnError DEPENDENCY_MISSING
 */
export async function confinedDuckDb(paths: readonly string[], memoryBytes: number): Promise<DuckDb> {
  const duckDb = await connectDuckDb({ memoryBytes: { most: memoryBytes, setting: "" } });
  const allowed = paths.flatMap((path) => besides.map((ending) => sqlText(path + ending))).join(", ");
  const settings = [
    "threads = 1",
    "TimeZone = 'UTC'",
    `allowed_paths = [${allowed}]`,
    "enable_external_access = false",
    "lock_configuration = true",
  ];
  for (const setting of settings) await duckDb.connection.run(`SET ${setting}`);
  return duckDb;
}
