import type { ArtifactDir } from "../../src/io/manifest.ts";

/** The artifact with other facts in its manifest, which others may have written so. */
export function withInfo({ dir, manifest }: ArtifactDir, changes: object): ArtifactDir {
  return { dir, manifest: { ...manifest, info: { ...manifest.info, ...changes } } };
}
