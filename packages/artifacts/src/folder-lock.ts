import { spawn } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { isDiskFull } from "./full-disk.ts";

export interface FolderLock {
  /** Lets the next one in. */
  release(): Promise<void>;
}

/** Another process holds the folder. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/** What a holder writes into its lock, for the message to whoever comes second. */
export interface FolderHolder {
  readonly pid: number;
  readonly host: string;
  /** Among which processes `pid` is a number: containers count their own; null where there is no such thing. */
  readonly namespace: string | null;
}

/** This process as a holder. */
export function thisHolder(): FolderHolder {
  return { pid: process.pid, host: hostname(), namespace: processNamespace() };
}

function processNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null; // not Linux
  }
}

/** Node closes an open file that nobody refers to any more, and with it the lock would go. */
const held = new Set<FileHandle>();

/**
 * Holds a folder for this process with `flock(2)` on a file beside or in it. The kernel keeps the lock with the open
 * file: it ends with the process, however that dies, and holds between containers that share a volume, whose process
 * numbers mean nothing to each other. The file itself stays: to remove it would let two processes lock two files of the
 * same name.
 *
 * @throws FolderInUse naming the process that holds the folder; Error when files cannot be locked here
 */
export async function lockFolder(lockPath: string): Promise<FolderLock> {
  await mkdir(dirname(lockPath), { recursive: true });
  // Not truncated: until it is locked it is the holder's.
  const file = await open(lockPath, "a+", 0o600);
  try {
    if (!(await lockFile(file, lockPath))) throw await inUse(file, lockPath);
    await noteHolder(file);
    held.add(file);
    return { release: () => release(file) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Only for messages: on a full disk the lock does without. */
async function noteHolder(file: FileHandle): Promise<void> {
  await file.truncate(0);
  await file.write(JSON.stringify(thisHolder())).catch((error) => {
    if (!isDiskFull(error)) throw error;
  });
}

async function release(file: FileHandle): Promise<void> {
  if (held.delete(file)) await file.close();
}

/** What `flock` ends with when another has the lock. */
const takenCode = 1;

/**
 * Node has no call for it, so the `flock` program locks the open file that it inherits from here: the lock belongs to
 * the file as it is open in this process, and outlives that program.
 *
 * @returns whether this process holds it now
 */
async function lockFile(file: FileHandle, path: string): Promise<boolean> {
  const child = spawn("flock", ["-x", "-n", "3"], { stdio: ["ignore", "ignore", "pipe", file.fd] });
  const said = child.stderr ? text(child.stderr) : Promise.resolve("");
  const [code] = (await once(child, "close").catch((cause: unknown) => {
    throw new Error(`${path} cannot be locked without the program flock; install util-linux.`, { cause });
  })) as [number | null];
  if (code === 0) return true;
  if (code === takenCode && (await said) === "") return false;
  throw new Error(
    `${path} cannot be locked (${(await said).trim() || `flock ended with ${code}`}); use a file system that has locks.`,
  );
}

async function inUse(file: FileHandle, path: string): Promise<FolderInUse> {
  const holder = await holderIn(file);
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  return new FolderInUse(`${dirname(path)} is in use by ${who}.`);
}

/** Who took the folder last, whether it is still there or not; null when nobody has said so. */
export async function folderHolder(lockPath: string): Promise<FolderHolder | null> {
  const file = await open(lockPath).catch(() => null);
  const holder = file && (await holderIn(file));
  await file?.close();
  return holder;
}

/** null: the holder has not written who it is yet. */
async function holderIn(file: FileHandle): Promise<FolderHolder | null> {
  try {
    const { buffer, bytesRead } = await file.read({ position: 0 });
    return JSON.parse(buffer.toString("utf8", 0, bytesRead)) as FolderHolder;
  } catch {
    return null;
  }
}
