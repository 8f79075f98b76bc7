import { readFileSync } from "node:fs";
import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

export interface FolderLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  /** Distinguishes a process from a later one with the same pid; null where /proc is missing. */
  readonly startedAt: string | null;
}

/**
 * Holds a folder for this process. PGlite itself does not: a second process that opens the folder ruins it.
 * The lock of a process that died without releasing it is taken over.
 *
 * @throws Error naming the process that holds the folder
 */
export async function lockFolder(lockPath: string): Promise<FolderLock> {
  await mkdir(dirname(lockPath), { recursive: true });
  const mine = JSON.stringify(holderOf(process.pid));
  if (!(await createLock(lockPath, mine))) {
    const holder = await readHolder(lockPath);
    if (holder && isAlive(holder)) {
      throw new Error(
        `${dirname(lockPath)} is in use by process ${holder.pid}. Stop it, or give this one another HOPWISE_DATA or a DATABASE_URL.`,
      );
    }
    await rm(lockPath, { force: true });
    if (!(await createLock(lockPath, mine))) throw new Error(`${lockPath} was taken by another process just now.`);
  }
  return { release: () => rm(lockPath, { force: true }) };
}

async function createLock(lockPath: string, content: string): Promise<boolean> {
  try {
    const file = await open(lockPath, "wx", 0o600);
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(lockPath: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(lockPath, "utf8")) as Holder;
  } catch {
    return null; // released or half-written by a process that died there
  }
}

function holderOf(pid: number): Holder {
  return { pid, startedAt: startTimeOf(pid) };
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return startTimeOf(holder.pid) === holder.startedAt;
}

/** Field 22 of /proc/<pid>/stat: clock ticks from boot to the start of the process. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
