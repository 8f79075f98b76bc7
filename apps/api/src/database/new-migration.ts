import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { applyMigrations, migrationsFolder, migrationToSchema } from "./migrations.ts";

/**
 * What `prisma migrate dev --create-only` does, without its binary: replays the migrations into an empty
 * in-memory database and writes the difference to `schema.prisma` as the next one.
 */
async function main(name: string | undefined): Promise<void> {
  const database = await PGlite.create();
  const factory = new PrismaPGlite(database);
  await applyMigrations(factory);
  const sql = await migrationToSchema(factory);
  await database.close();
  if (sql === null) {
    process.stdout.write("The migrations give schema.prisma: nothing to do.\n");
  } else if (name === undefined || name === "--check") {
    process.stderr.write(
      `schema.prisma has changed since the last migration; run script/new-migration <name>.\n${sql}`,
    );
    process.exitCode = 1;
  } else {
    await writeMigration(name, sql);
  }
}

async function writeMigration(name: string, sql: string): Promise<void> {
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = join(migrationsFolder, `${stamp}_${name.replaceAll(/\W+/g, "_")}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "migration.sql"), sql);
  await writeFile(join(migrationsFolder, "migration_lock.toml"), 'provider = "postgresql"\n');
  process.stdout.write(`Wrote ${folder}/migration.sql; read it before you commit it.\n`);
}

await main(process.argv[2]);
