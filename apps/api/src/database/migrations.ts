import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { openSchemaEngine } from "./schema-engine.ts";

/** `prisma/` of the repository: the same place from `src/database` and `dist/database`. */
export const prismaFolder = fileURLToPath(new URL("../../../../prisma/", import.meta.url));
export const schemaPath = join(prismaFolder, "schema.prisma");
export const migrationsFolder = join(prismaFolder, "migrations");

const filters = { externalTables: [], externalEnums: [] };

/**
 * Applies what is missing; the names of what was applied. Safe to call from several processes at once.
 *
 * @param migrations all that the database is to have, oldest first
 */
export async function applyMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  migrations?: readonly MigrationFile[],
): Promise<readonly string[]> {
  const wanted = migrations ?? (await readMigrations());
  if (await areAllApplied(factory, wanted)) return [];
  const migrationsList = await migrationsListOf(wanted);
  const connections: SqlMigrationAwareDriverAdapter[] = [];
  const engine = await openSchemaEngine(noting(factory, connections), schemaPath);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  } finally {
    engine.free();
    for (const connection of connections) await connection.dispose();
  }
}

type SqlMigrationAwareDriverAdapter = Awaited<ReturnType<SqlMigrationAwareDriverAdapterFactory["connect"]>>;

/** The engine leaves its connections open: whoever lent the factory closes those that are noted here. */
function noting(
  factory: SqlMigrationAwareDriverAdapterFactory,
  connections: SqlMigrationAwareDriverAdapter[],
): SqlMigrationAwareDriverAdapterFactory {
  const noted = async (opening: Promise<SqlMigrationAwareDriverAdapter>) => {
    const connection = await opening;
    connections.push(connection);
    return connection;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: () => noted(factory.connect()),
    connectToShadowDb: () => noted(factory.connectToShadowDb()),
  };
}

/** By one query, as at every start but the first: the engine takes half a second to load. */
async function areAllApplied(
  factory: SqlMigrationAwareDriverAdapterFactory,
  migrations: readonly MigrationFile[],
): Promise<boolean> {
  const connection = await factory.connect();
  try {
    const sql = `SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
    const { rows } = await connection.queryRaw({ sql, args: [], argTypes: [] });
    const applied = new Set(rows.map(([name]) => name));
    return migrations.every(({ name }) => applied.has(name));
  } catch {
    return false; // an empty database has no such table
  } finally {
    await connection.dispose();
  }
}

/** SQL that leads from the database behind `factory` to `schema.prisma`, or null when they agree. */
export async function migrationToSchema(factory: SqlMigrationAwareDriverAdapterFactory): Promise<string | null> {
  const engine = await openSchemaEngine(factory, schemaPath);
  const files = [{ path: schemaPath, content: await readFile(schemaPath, "utf8") }];
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: prismaFolder },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters,
    });
    return exitCode === 2 ? stdout : null;
  } finally {
    engine.free();
  }
}

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/** Every migration of the repository, oldest first. */
export async function readMigrations(): Promise<readonly MigrationFile[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => ({
      name,
      sql: await readFile(join(migrationsFolder, name, "migration.sql"), "utf8"),
    })),
  );
}

async function migrationsListOf(migrations: readonly MigrationFile[]) {
  const lockfile = await readFile(join(migrationsFolder, "migration_lock.toml"), "utf8").catch(() => null);
  return {
    baseDir: migrationsFolder,
    shadowDbInitScript: "",
    lockfile: { path: "migration_lock.toml", content: lockfile },
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok" as const, value: sql } },
    })),
  };
}
