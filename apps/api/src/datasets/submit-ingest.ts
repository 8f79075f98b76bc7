import { AppError, type DatasetSpec, datasetSpec } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { type Job, Prisma } from "../generated/prisma/client.ts";
import { planIngest } from "../job-state/plan-stages.ts";
import { type JobServices, queueJob, type SubmitOptions } from "../job-state/queue-job.ts";
import { serviceJob, versionToRead } from "./service-job.ts";

/**
 * Queues the ingest of a dataset version: it becomes INGESTING here, READY when the job succeeds.
 *
 * @throws AppError REQUEST_CONFLICT when the version is being ingested or is READY (and so never changes)
 */
export async function submitIngest(
  services: JobServices,
  viewer: Viewer,
  versionId: string,
  spec: DatasetSpec,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const version = await versionToRead(services, viewer, versionId);
  const draft = serviceJob("ingest", `Ingest of ${version.dataset.name}`, version, { ingest: spec });
  const stages = planIngest(spec, services.registry);
  return queueJob(services, viewer, draft, stages, options, async (tx) => {
    const taken = await tx.datasetVersion.updateMany({
      where: { id: version.id, state: { in: ["UPLOADING", "MAPPING", "FAILED"] } },
      data: { state: "INGESTING", spec: spec as Prisma.InputJsonValue, problem: Prisma.DbNull },
    });
    if (taken.count === 1) return;
    throw new AppError(
      "REQUEST_CONFLICT",
      `Version ${version.number} of this dataset is ${version.state}; a version is ingested once. POST to /v1/datasets/<id>/versions for the next one, with the same files or others.`,
    );
  });
}

/** A version whose graph can be made again, with what it was made by; null: it was deleted, or its spec is of old. */
export async function remakableVersion(prisma: Pick<JobServices["prisma"], "datasetVersion">, versionId: string) {
  const version = await prisma.datasetVersion.findFirst({
    where: { id: versionId, state: "READY", dataset: { deletedAt: null } },
    include: { dataset: true },
  });
  const { data: spec } = datasetSpec.safeParse(version?.spec);
  return version && spec ? { version, spec } : null;
}

/** Queues the ingest of a READY version once more, as its graph is damaged; the version stays as it is. */
export async function remakeGraph(services: JobServices, versionId: string, createdBy: string): Promise<void> {
  const found = await remakableVersion(services.prisma, versionId);
  if (!found) return;
  const { version, spec } = found;
  const draft = serviceJob("ingest", `Graph of ${version.dataset.name}, made again`, version, { ingest: spec });
  await queueJob(services, { userId: createdBy }, draft, planIngest(spec, services.registry), {});
}
