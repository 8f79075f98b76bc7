import { AppError, limits } from "@hopwise/contracts";
import type { DatabaseTable, Quote } from "@hopwise/gnn-core/spec";
import { passingReason } from "../../download-file.ts";
import type { SqlEngine } from "../database-address.ts";
import { type DatabaseAccess, openSession } from "../open-session.ts";
import { failureOf, tookTooLong } from "../sql-failure.ts";
import { mysqlTables } from "./mysql-tables.ts";
import { postgresTables } from "./postgres-tables.ts";

/** How names are written, with every character that they may have. */
export const quotes: Readonly<Record<SqlEngine, Quote>> = {
  postgresql: (name) => `"${name.replaceAll('"', '""')}"`,
  mysql: (name) => `\`${name.replaceAll("`", "``")}\``,
};

/**
 * The tables of a database that the credential's user may read. It is asked once, since somebody waits.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_REFUSED, IMPORT_NOT_FOUND, IMPORT_QUERY, IMPORT_SOURCE
 */
export async function readTables(access: Omit<DatabaseAccess, "signal">): Promise<readonly DatabaseTable[]> {
  const querySeconds = Math.min(access.querySeconds, limits.importTablesSeconds);
  const late = AbortSignal.timeout(querySeconds * 1000);
  try {
    const session = await openSession({ ...access, querySeconds, signal: late });
    try {
      return await (access.address.engine === "postgresql" ? postgresTables : mysqlTables)(session);
    } finally {
      await session.close();
    }
  } catch (error) {
    if (late.aborted) throw tookTooLong(querySeconds);
    const failure = failureOf(error, querySeconds);
    const reason = passingReason(failure);
    throw reason === null ? failure : new AppError("IMPORT_SOURCE", `${reason} Try again.`, { cause: error });
  }
}
