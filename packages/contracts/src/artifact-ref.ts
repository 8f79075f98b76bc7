import { z } from "zod";

/** A stored artifact: where its manifest is and what it must hash to. */
export const artifactRef = z.object({
  id: z.string(),
  kind: z.string(),
  /** Key prefix in the artifact store; the manifest is `<prefix>/manifest.json`, a blob `<prefix>/<name>`. */
  prefix: z.string(),
  digest: z.string(),
});
export type ArtifactRef = z.infer<typeof artifactRef>;
