import { fileURLToPath } from "node:url";
import { ArtifactError } from "./artifact-error.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { LocalArtifactStore } from "./local-artifact-store.ts";

/**
 * Opens the store that a URL names: `file:///var/lib/hopwise/artifacts`.
 *
 * @throws ArtifactError ARTIFACT_URL_INVALID; the URL itself is not repeated, it may hold a secret
 */
export async function openArtifactStore(url: string): Promise<ArtifactStore> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === "file:") return LocalArtifactStore.open(fileURLToPath(parsed));
  throw new ArtifactError(
    "ARTIFACT_URL_INVALID",
    `Artifact store URLs start with file:// in this version; this one starts with ${parsed ? `${parsed.protocol}//` : "no scheme"}.`,
  );
}
