import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { StoredManifest } from "./artifact.ts";

/** How the names of the wanted blobs begin, once the manifest is known; null: all of them. */
export type BlobSelection = (manifest: StoredManifest) => readonly string[] | null;

/** Beside the manifest of an entry that does not hold all its blobs */
export const selectionName = "selection.json";

const storedSelection = z.array(z.string());

/** Names what is held of an artifact: its digest, and of a part of it which one. */
export function entryKey(digest: string, selected: readonly string[] | null): string {
  if (selected === null) return digest;
  const hash = createHash("sha256").update(JSON.stringify(selected.toSorted())).digest("hex");
  return `${digest}-${hash.slice(0, 16)}`;
}

export function selectedBlobs(manifest: StoredManifest, selected: readonly string[] | null): StoredManifest["blobs"] {
  if (selected === null) return manifest.blobs;
  return manifest.blobs.filter(({ name }) => selected.some((beginning) => name.startsWith(beginning)));
}

/** What an entry's folder says of itself; null: it holds all. @throws when the file is there and damaged */
export async function readSelection(dir: string): Promise<readonly string[] | null> {
  const body = await readFile(join(dir, selectionName), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return body === null ? null : storedSelection.parse(JSON.parse(body));
}
