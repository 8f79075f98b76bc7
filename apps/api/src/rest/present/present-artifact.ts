import type { ArtifactAnswer } from "@hopwise/contracts";
import { blobsOf, infoOf } from "../../database/stored-json.ts";
import type { Artifact } from "../../generated/prisma/client.ts";

export function presentArtifact(artifact: Artifact): ArtifactAnswer {
  const { id, kind, digest, bytes, jobId, attempt, stageIndex, epoch, step, createdAt } = artifact;
  return {
    id,
    kind,
    digest,
    bytes: Number(bytes),
    jobId,
    attempt,
    stageIndex,
    epoch,
    step,
    createdAt: createdAt.toISOString(),
    info: infoOf(artifact),
    blobs: [...blobsOf(artifact)],
    url: `/v1/artifacts/${id}`,
  };
}
