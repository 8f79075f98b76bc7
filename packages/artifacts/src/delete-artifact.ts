import { manifestName } from "./artifact.ts";
import type { ArtifactStore } from "./artifact-store.ts";

/**
 * Removes an artifact, its manifest first: one that is half removed does not exist. Does nothing when it is gone
 * already.
 */
export async function deleteArtifact(store: ArtifactStore, prefix: string): Promise<void> {
  await store.delete(`${prefix}/${manifestName}`);
  await store.delete(prefix);
}
