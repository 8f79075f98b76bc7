import { channel } from "node:diagnostics_channel";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { ArtifactError } from "./artifact-error.ts";
import type { BlobStore } from "./artifact-store.ts";

export const manifestName = "manifest.json";

/** Open to a listener in the process: all blobs of an artifact are stored, its manifest is next. Carries `prefix`. */
const manifestPut = channel("hopwise:manifest-put");

/** What this package needs of a manifest; the engine, which makes them, defines and checks the rest. */
const storedManifest = z.looseObject({
  version: z.literal(1),
  kind: z.string(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  blobs: z.array(
    z.looseObject({ name: z.string(), bytes: z.number().int().nonnegative(), sha256: z.string().length(64) }),
  ),
});
export type StoredManifest = z.infer<typeof storedManifest>;

/** The part of a manifest that `publishArtifact` reads; every engine manifest has it. */
export interface PublishableManifest {
  readonly kind: string;
  readonly digest: string;
  readonly blobs: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/**
 * Stores the blobs of a local folder, then the manifest: until that last put the artifact does not exist.
 *
 * @returns the bytes of all blobs
 * @throws ArtifactError ARTIFACT_DAMAGED when a file is not what the manifest says, STORAGE_FULL …; then nothing of it
 * stays
 */
export async function publishArtifact(
  store: BlobStore,
  prefix: string,
  localDir: string,
  manifest: PublishableManifest,
): Promise<{ bytes: number }> {
  const stored: string[] = [];
  let bytes = 0;
  try {
    for (const blob of manifest.blobs) {
      const key = `${prefix}/${blob.name}`;
      const { sha256, bytes: size } = await store.put(key, { file: join(localDir, blob.name) });
      stored.push(key);
      bytes += size;
      if (sha256 === blob.sha256) continue;
      throw new ArtifactError(
        "ARTIFACT_DAMAGED",
        `${blob.name} has ${size} bytes that hash to ${sha256}; its manifest says ${blob.bytes} and ${blob.sha256}.`,
      );
    }
    manifestPut.publish({ prefix });
    await store.put(`${prefix}/${manifestName}`, Buffer.from(JSON.stringify(manifest)));
    return { bytes };
  } catch (error) {
    // So that it can be tried again, and a full disk keeps no half of it; what cannot be removed now the sweep takes.
    for (const key of stored) await store.delete(key).catch(() => {});
    throw error;
  }
}

/**
 * Reads an artifact's manifest.
 *
 * @throws ArtifactError ARTIFACT_MISSING; ARTIFACT_DAMAGED when it is not a manifest of a version known here
 */
export async function readManifest(store: BlobStore, prefix: string): Promise<StoredManifest> {
  const body = await text(await store.get(`${prefix}/${manifestName}`));
  return parseManifest(body, prefix);
}

/** @throws ArtifactError ARTIFACT_DAMAGED */
export function parseManifest(body: string, place: string): StoredManifest {
  try {
    return storedManifest.parse(JSON.parse(body));
  } catch (cause) {
    throw new ArtifactError("ARTIFACT_DAMAGED", `${place}/${manifestName} is not a manifest of version 1.`, { cause });
  }
}
