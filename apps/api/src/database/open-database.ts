import { join } from "node:path";
import { closeToOthers, FolderInUse, type FolderLock, lockFolder } from "@hopwise/artifacts";
import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";
import { PrismaClient } from "../generated/prisma/client.ts";
import { guardedPglite } from "./guarded-pglite.ts";
import { applyMigrations } from "./migrations.ts";
import { openPglite } from "./pglite-template.ts";
import { takeTurns } from "./take-turns.ts";

export interface DatabaseOptions {
  /** `postgresql://…`; left out: PGlite. */
  readonly url?: string | undefined;
  /** Folder of PGlite; left out: memory (tests). */
  readonly dir?: string | undefined;
  /** Where the template of an empty PGlite is kept. */
  readonly cacheDir?: string | undefined;
}

export interface Database {
  readonly prisma: PrismaClient;
  readonly kind: "postgresql" | "pglite";
  close(): Promise<void>;
}

/** Opens the database and brings its schema up to date. The same migrations run on PostgreSQL and on PGlite. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined ? openEmbedded(options) : openServer(options.url);
}

async function openServer(url: string): Promise<Database> {
  const factory = new PrismaPg({ connectionString: url });
  await applyMigrations(factory);
  const prisma = clientOf(factory);
  return { prisma, kind: "postgresql", close: () => prisma.$disconnect() };
}

async function openEmbedded({ dir, cacheDir }: DatabaseOptions): Promise<Database> {
  const lock = dir === undefined ? null : await lockDatabase(join(dir, "..", "pglite.lock"));
  try {
    const opened = takeTurns(await openPglite(dir, cacheDir));
    // It gives its files rights of its own choice, whatever the umask; later ones too, but nobody gets past the folder.
    if (dir !== undefined) await closeToOthers(dir);
    const pglite = dir === undefined ? opened : await guardedPglite(opened, dir);
    const factory = new PrismaPGlite(pglite);
    await applyMigrations(factory);
    const prisma = clientOf(factory);
    const close = async () => {
      await prisma.$disconnect();
      await pglite.close();
      await lock?.release();
    };
    return { prisma, kind: "pglite", close };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/**
 * PGlite itself does not: a second process that opens the folder ruins it. @throws FolderInUse saying what else to do
 */
async function lockDatabase(lockPath: string): Promise<FolderLock> {
  return lockFolder(lockPath).catch((error: unknown) => {
    if (!(error instanceof FolderInUse)) throw error;
    throw new FolderInUse(`${error.message} Stop it, or give this one another HOPWISE_DATA or a DATABASE_URL.`);
  });
}

/** A query beside an open transaction waits for it on PGlite (one connection): inside one, use its client only. */
function clientOf(adapter: SqlMigrationAwareDriverAdapterFactory): PrismaClient {
  // The usual two seconds for a place in the pool are little when many upload at once.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 20_000, timeout: 20_000 } });
}
