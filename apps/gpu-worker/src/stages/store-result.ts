import { type BlobStore, publishArtifact } from "@hopwise/artifacts";
import type { MadeArtifact } from "@hopwise/contracts";
import type { Manifest } from "@hopwise/gnn-core/spec";

export interface Destination {
  readonly id: string;
  readonly prefix: string;
  readonly reuseKey: string | null;
}

/**
 * Stores what a step left in `dir` under the destination's fresh prefix, the manifest last.
 *
 * @returns what the API writes into its table of artifacts
 */
export async function storeArtifact(
  store: BlobStore,
  dir: string,
  manifest: Manifest,
  { id, prefix, reuseKey }: Destination,
): Promise<MadeArtifact> {
  const { bytes } = await publishArtifact(store, prefix, dir, manifest);
  const { kind, digest, info, blobs } = manifest;
  return { id, kind, prefix, reuseKey, digest, bytes, info, blobs };
}
