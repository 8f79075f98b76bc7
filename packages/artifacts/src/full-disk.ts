import { statfs } from "node:fs/promises";
import { ArtifactError } from "./artifact-error.ts";

/** Whether the system refused a write for want of space or by quota. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Bytes that a writer without privileges may still use on the disk that holds `dir`. */
export async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

/** @param place what lies on that disk, for whoever has to make room there */
export function storageFull(place: string, found: string, cause?: unknown): ArtifactError {
  const message = `The disk of ${place} is full: ${found}. Nothing of this was kept; make room there, and try again.`;
  return new ArtifactError("STORAGE_FULL", message, { cause });
}

/**
 * Refuses a write that would leave less than the reserve, which is there for those that cannot wait: the database and
 * Redis.
 *
 * @throws ArtifactError STORAGE_FULL
 */
export async function requireSpace(dir: string, bytes: number, reserve: number, place: string): Promise<void> {
  const free = await freeBytes(dir);
  if (free - bytes >= reserve) return;
  const stored = bytes > 0 ? `, ${bytes} are to be stored` : "";
  const kept = reserve > 0 ? `, ${reserve} are kept back (HOPWISE_MIN_FREE_BYTES)` : "";
  throw storageFull(place, `${free} bytes are free${stored}${kept}`);
}
