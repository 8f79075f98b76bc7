import type { Artifact, Job } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";

/** What a job finds before its first stage has run. */
export interface GivenArtifacts {
  /** Files, preview and graph of the dataset version */
  readonly ofVersion: Artifact[];
  /** The model that the job applies or starts from */
  readonly named: Artifact[];
}

export async function givenArtifacts(
  tx: Tx,
  job: Pick<Job, "datasetVersionId" | "modelArtifactId">,
): Promise<GivenArtifacts> {
  return { ofVersion: await versionArtifacts(tx, job.datasetVersionId), named: await namedModel(tx, job) };
}

async function versionArtifacts(tx: Tx, versionId: string | null): Promise<Artifact[]> {
  if (versionId === null) return [];
  const version = await tx.datasetVersion.findUnique({
    where: { id: versionId },
    include: { files: true, preview: true, graph: true },
  });
  return [version?.files, version?.preview, version?.graph].filter(
    (a) => a != null && a.deletedAt === null,
  ) as Artifact[];
}

async function namedModel(tx: Tx, { modelArtifactId }: Pick<Job, "modelArtifactId">): Promise<Artifact[]> {
  if (modelArtifactId === null) return [];
  return tx.artifact.findMany({ where: { id: modelArtifactId, deletedAt: null } });
}
