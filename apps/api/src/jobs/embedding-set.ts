import { artifactInfo, blobsOf } from "../database/stored-json.ts";
import type { Services } from "../services.ts";
import { stageOutput } from "./job-artifacts.ts";

export interface EmbeddingSet {
  /** Id of the artifact that holds them in NodeIndex order */
  readonly id: string;
  readonly jobId: string;
  readonly numRows: number;
  readonly dim: number;
  readonly layer: string;
}

/** The embeddings of a job once its `remap` step has ended, else null. */
export async function embeddingSetOf(services: Services, jobId: string): Promise<EmbeddingSet | null> {
  const artifact = await stageOutput(services, jobId, "remapped");
  if (!artifact) return null;
  const { layer } = artifactInfo("remapped", artifact.info);
  const [numRows = 0, dim = 0] = blobsOf(artifact).find(({ name }) => name === "embeddings.npy")?.shape ?? [];
  return { id: artifact.id, jobId, numRows, dim, layer };
}
