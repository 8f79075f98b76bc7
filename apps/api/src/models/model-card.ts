import type { Viewer } from "../auth/viewer.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { getModelVersion, type ShownVersion } from "./model-queries.ts";

/** A version with its files and the jobs that use it. */
export interface CardedVersion {
  readonly version: ShownVersion;
  readonly artifact: Artifact;
  /** Ids of the newest jobs that apply it or start from it, ended ones too */
  readonly usedBy: readonly string[];
}

const mostJobs = 50;

/** @throws AppError REQUEST_NOT_FOUND */
export async function modelCardOf(
  services: Pick<Services, "prisma">,
  viewer: Viewer,
  id: string,
): Promise<CardedVersion> {
  const version = await getModelVersion(services, viewer, id);
  const { artifactId, projectId } = version;
  const artifact = await services.prisma.artifact.findUniqueOrThrow({ where: { id: artifactId } });
  const jobs = await services.prisma.job.findMany({
    where: { modelArtifactId: artifactId, projectId, deletedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: mostJobs,
    select: { id: true },
  });
  return { version, artifact, usedBy: jobs.map((job) => job.id) };
}
