import { openDatabase } from "../../src/database/open-database.ts";
import { databaseUrl, migratedDatabase, runSql, sharedServer } from "./fresh-database.ts";
import { isPostgresInstalled, startPostgres } from "./start-postgres.ts";

/**
 * Run by vitest before the slow tests (vitest.config.ts): one PostgreSQL for all of them, with a migrated database to
 * copy. A server and migrations for each file cost two CPU seconds, PGlite five.
 */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  // Called once for each project of a run.
  if (!isPostgresInstalled || process.env[sharedServer] !== undefined) return undefined;
  const server = await startPostgres(["-c", "max_connections=400", "-c", "autovacuum=off"]);
  await runSql(server.folder, `CREATE DATABASE ${migratedDatabase}`);
  const database = await openDatabase({ url: databaseUrl(server.folder, migratedDatabase) });
  await database.close();
  process.env[sharedServer] = server.folder;
  return () => server.stop();
}
