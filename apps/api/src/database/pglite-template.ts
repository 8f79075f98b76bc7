import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { freeBytes, storageFull } from "@hopwise/artifacts";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { applyMigrations, readMigrations } from "./migrations.ts";

/** With what it keeps in reserve for its log. */
const emptyDatabaseBytes = 96 * 1024 * 1024;

/**
 * Opens PGlite. An empty folder (or memory, when `dir` is left out) starts from a cached tarball of a migrated
 * database, because initdb in WebAssembly takes 6 to 13 s and unpacking 2 s; without a cache it just takes longer.
 */
export async function openPglite(dir: string | undefined, cacheDir: string | undefined): Promise<PGlite> {
  if (dir === undefined) {
    return PGlite.create("memory://", cacheDir === undefined ? {} : { loadDataDir: await templateBlob(cacheDir) });
  }
  // Beside the folder while it is being filled: what a full disk or a kill left half-made is no database.
  const marker = `${dir}.unfinished`;
  if (await isThere(marker)) await rm(dir, { recursive: true, force: true });
  else if (!(await isEmpty(dir))) return PGlite.create(dir);
  await mkdir(dirname(dir), { recursive: true });
  await requireRoom(dirname(dir));
  await writeFile(marker, "");
  const made = await PGlite.create(dir, cacheDir === undefined ? {} : { loadDataDir: await templateBlob(cacheDir) });
  await rm(marker);
  return made;
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

/** A database that fills the disk while it is made fails without a word. */
async function requireRoom(folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= emptyDatabaseBytes) return;
  throw storageFull(
    "the embedded database (HOPWISE_DATA)",
    `an empty one takes ${emptyDatabaseBytes} bytes, ${free} are free`,
  );
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isEmpty(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length === 0;
  } catch {
    return true;
  }
}
