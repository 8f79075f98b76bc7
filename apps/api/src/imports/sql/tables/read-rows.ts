import { AppError } from "@hopwise/contracts";
import type { SqlSession } from "../sql-session.ts";

/** More columns of tables than a database may have that is looked into. */
export const mostColumns = 20_000;

/**
 * All rows of a short answer, an object each.
 *
 * @throws AppError IMPORT_QUERY for more than `mostColumns` rows; what the client throws
 */
export async function readRows(session: SqlSession, query: string): Promise<readonly Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  for await (const { columns, rows } of session.batches(query)) {
    for (const row of rows)
      found.push(Object.fromEntries(columns.map(({ name }, i) => [name.toLowerCase(), row[i] ?? ""])));
    if (found.length > mostColumns)
      throw new AppError(
        "IMPORT_QUERY",
        `The database has more than ${mostColumns} columns; name the tables that are wanted.`,
      );
  }
  return found;
}
