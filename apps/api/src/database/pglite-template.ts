import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { applyMigrations, readMigrations } from "./migrations.ts";

/**
 * Opens PGlite. An empty folder (or memory, when `dir` is left out) starts from a cached tarball of a migrated
 * database, because initdb in WebAssembly takes 6 to 13 s and unpacking 2 s; without a cache it just takes longer.
 */
export async function openPglite(dir: string | undefined, cacheDir: string | undefined): Promise<PGlite> {
  if (cacheDir === undefined || (dir !== undefined && !(await isEmpty(dir)))) return PGlite.create(dir ?? "memory://");
  const loadDataDir = await templateBlob(cacheDir);
  return PGlite.create(dir ?? "memory://", { loadDataDir });
}

async function templateBlob(cacheDir: string): Promise<Blob> {
  const path = join(cacheDir, `pglite-${await templateKey()}.tgz`);
  try {
    return new Blob([await readFile(path)]);
  } catch {
    const blob = await makeTemplate();
    await store(cacheDir, path, blob).catch(() => {}); // a read-only place only costs time
    return blob;
  }
}

async function makeTemplate(): Promise<Blob> {
  const database = await PGlite.create();
  try {
    await applyMigrations(new PrismaPGlite(database));
    return await database.dumpDataDir("gzip");
  } finally {
    await database.close();
  }
}

async function store(cacheDir: string, path: string, blob: Blob): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, new Uint8Array(await blob.arrayBuffer()));
  await rename(draft, path);
}

async function templateKey(): Promise<string> {
  const hash = createHash("sha256").update(await pgliteVersion());
  for (const { name, sql } of await readMigrations()) hash.update(name).update(sql);
  return hash.digest("hex").slice(0, 16);
}

/** Another PGlite may hold another PostgreSQL, whose folder this one cannot open. */
async function pgliteVersion(): Promise<string> {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite"); // <package>/dist/index.cjs
  const { version } = JSON.parse(await readFile(join(dirname(main), "..", "package.json"), "utf8"));
  return version;
}

async function isEmpty(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length === 0;
  } catch {
    return true;
  }
}
