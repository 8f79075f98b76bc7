import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { applyMigrations, migrationToSchema } from "../../src/database/migrations.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { readEnv } from "../../src/env.ts";
import { isPostgresInstalled, startPostgres } from "../support/start-postgres.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hopwise-db-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("the migrations give exactly schema.prisma, and applying them again does nothing", async () => {
  const database = await PGlite.create();
  const factory = new PrismaPGlite(database);
  expect((await applyMigrations(factory)).length).toBeGreaterThan(0);
  expect(await applyMigrations(factory)).toEqual([]);
  expect(await migrationToSchema(factory)).toBeNull();
  await database.close();
});

it.skipIf(!isPostgresInstalled)("the migrations leave no connection behind, applied or not", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const idle = server.pids.length;
  for (const isFirst of [true, false]) {
    const applied = await applyMigrations(new PrismaPg({ connectionString: server.url }));
    expect(applied.length > 0).toBe(isFirst);
    // A backend ends a moment after its connection; a pool that is left alone closes its own after ten seconds.
    await expect.poll(() => server.pids.length, { timeout: 5_000 }).toBe(idle);
  }
});

it("PGlite keeps its rows over a restart, and its folder from a second process", async () => {
  const options = { dir: join(folder, "pglite"), cacheDir: readEnv({}).data.cacheDir };
  const first = await openDatabase(options);
  await first.prisma.project.create({ data: { id: "p", name: "kept" } });
  await expect(openDatabase(options)).rejects.toThrow(/in use by process/);
  await first.close();
  const second = await openDatabase(options);
  expect(await second.prisma.project.findUnique({ where: { id: "p" } })).toMatchObject({ name: "kept" });
  await second.close();
});
