import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { binFolder, isPostgresInstalled, startPostgres } from "./start-postgres.ts";

/** Set by postgres-of-the-run.ts: the folder of the socket of a server that all files of a run of tests share. */
export const sharedServer = "HOPWISE_TEST_POSTGRES";
/** A database of that server with all migrations; nobody is connected to it, so that it can be copied. */
export const migratedDatabase = "migrated";

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * An empty database with all migrations for one API: a copy on the server of the run where there is one, else on a
 * server of its own; null where PostgreSQL is not installed. Tests that stop or kill the server start their own.
 */
export async function freshDatabase(): Promise<FreshDatabase | null> {
  const folder = process.env[sharedServer];
  if (folder === undefined) {
    const own = isPostgresInstalled ? await startPostgres() : null;
    return own && { url: own.url, drop: () => own.stop() };
  }
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runSql(folder, `CREATE DATABASE ${name} TEMPLATE ${migratedDatabase}`);
  return {
    url: databaseUrl(folder, name),
    drop: () => runSql(folder, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

export function databaseUrl(folder: string, name: string): string {
  return `postgresql://hopwise@localhost/${name}?host=${encodeURIComponent(folder)}`;
}

export async function runSql(folder: string, query: string): Promise<void> {
  await promisify(execFile)(join(binFolder, "psql"), ["-h", folder, "-U", "hopwise", "-q", "postgres", "-c", query]);
}
