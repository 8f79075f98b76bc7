import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FolderInUse, lockFolder } from "./folder-lock.ts";

const lockName = "lock";
/** Prefixes of a folder whose writer holds a lock in it, and of one whose writer does not hold it yet. */
const heldPrefix = "held-";
const newPrefix = "new-";
/** For what says of no writer whether he lives. */
const abandonedAfterMs = 24 * 3600 * 1000;

/**
 * The half-written files of all who write into one store. Each writer has a folder of his own and holds the lock in it
 * as long as he lives, so that everybody else knows at once what a killed one has left, without looking at any clock.
 */
export class TemporaryFiles {
  readonly #root: string;
  #own: Promise<string> | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  /** A path that nothing is at, on the file system of the store. */
  async path(): Promise<string> {
    return join(await this.#folder(), randomUUID());
  }

  /**
   * Removes what writers left who are gone.
   *
   * @returns the number of files
   */
  async removeAbandoned(): Promise<number> {
    await mkdir(this.#root, { recursive: true });
    const own = await this.#own?.catch(() => null);
    let removed = 0;
    for (const name of await readdir(this.#root)) {
      const path = join(this.#root, name);
      if (path === own) continue;
      const isAbandoned = name.startsWith(heldPrefix) ? await isLeft(path) : await isOld(path);
      if (isAbandoned) removed += await removeCounting(path);
    }
    return removed;
  }

  async #folder(): Promise<string> {
    const own = await (this.#own ??= this.#take());
    // Somebody may have tidied up by hand.
    if (await statOrNull(own)) return own;
    this.#own = this.#take();
    return this.#own;
  }

  async #take(): Promise<string> {
    const id = randomUUID();
    const fresh = join(this.#root, newPrefix + id);
    const held = join(this.#root, heldPrefix + id);
    try {
      await mkdir(fresh, { recursive: true });
      await lockFolder(join(fresh, lockName)); // until this process ends
      // Only now may others ask whether its writer lives.
      await rename(fresh, held);
      return held;
    } catch (error) {
      this.#own = null;
      await rm(fresh, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Whether nobody holds the lock of a writer's folder. */
async function isLeft(folder: string): Promise<boolean> {
  try {
    await (await lockFolder(join(folder, lockName))).release();
    return true;
  } catch (error) {
    if (error instanceof FolderInUse) return false;
    return isOld(folder);
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await statOrNull(path);
  return found !== null && Date.now() - found.mtimeMs > abandonedAfterMs;
}

/** @returns how many files there were, the lock aside */
async function removeCounting(path: string): Promise<number> {
  const found = await statOrNull(path);
  const names = found?.isDirectory() ? await readdir(path) : [path];
  await rm(path, { recursive: true, force: true });
  return names.filter((name) => name !== lockName).length;
}

async function statOrNull(path: string) {
  return stat(path).catch(() => null);
}
