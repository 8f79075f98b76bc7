import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { DatabaseFile } from "./database-file.ts";
import { sqliteLines } from "./sqlite-lines.ts";
import { openSqliteTables } from "./sqlite-tables.ts";

/**
 * Opens the tables of an SQLite database as lines of JSON.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID
 */
export async function openSqlite(
  file: { readonly path: string; readonly name: string },
  limits: ReadingLimits,
): Promise<DatabaseFile> {
  const { tables, notes, rows, close } = await openSqliteTables(file, limits);
  return {
    tables,
    notes,
    lines: (planned, most) => sqliteLines(rows(planned.table), tables[planned.table]!, planned, most),
    close,
  };
}
