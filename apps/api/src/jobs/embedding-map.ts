import type { ArtifactInfo } from "@hopwise/contracts";
import { artifactInfo } from "../database/stored-json.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { stageOutput } from "./job-artifacts.ts";

/** 2-D map of the embeddings: what is known of it, and the artifact whose arrays are its points. */
export interface EmbeddingMap extends ArtifactInfo<"projection"> {
  readonly artifact: Artifact;
}

/** The map that the `project` step of a job made; null before that step has ended. */
export async function embeddingMapOf(services: Services, jobId: string): Promise<EmbeddingMap | null> {
  const artifact = await stageOutput(services, jobId, "projection");
  return artifact && { ...artifactInfo("projection", artifact.info), artifact };
}
