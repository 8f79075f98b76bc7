import { createHash } from "node:crypto";
import { link, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArtifactError } from "./artifact-error.ts";
import { assertKey } from "./artifact-key.ts";
import type { BlobStore } from "./artifact-store.ts";
import { fileChunks } from "./file-chunks.ts";

interface BlobRef {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Brings one blob into a folder and checks its hash; a hard link where store and folder share a disk.
 *
 * @throws ArtifactError ARTIFACT_KEY_INVALID for a hostile blob name, ARTIFACT_MISSING, ARTIFACT_DAMAGED
 */
export async function fetchBlob(store: BlobStore, prefix: string, blob: BlobRef, dir: string): Promise<void> {
  assertKey(blob.name);
  const path = join(dir, blob.name);
  await mkdir(dirname(path), { recursive: true });
  const key = `${prefix}/${blob.name}`;
  const sha256 = (await tryLink(store.localPath(key), path)) ? await hashFile(path) : await download(store, key, path);
  if (sha256 === blob.sha256) return;
  throw new ArtifactError("ARTIFACT_DAMAGED", `${key} hashes to ${sha256}; its manifest says ${blob.sha256}.`);
}

async function tryLink(from: string | null, to: string): Promise<boolean> {
  if (from === null) return false;
  try {
    await link(from, to);
    return true;
  } catch {
    // Another disk, a file system without links, or no such blob: the plain read says which.
    return false;
  }
}

/** sha256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(path)) hash.update(chunk);
  return hash.digest("hex");
}

async function download(store: BlobStore, key: string, path: string): Promise<string> {
  const source = await store.get(key);
  const hash = createHash("sha256");
  const file = await open(path, "wx", 0o444);
  try {
    for await (const chunk of source) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
