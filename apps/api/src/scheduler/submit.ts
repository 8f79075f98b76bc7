import { AppError, type DatasetSpec, datasetSpec, type JobSpec, resolveJobSpec } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import { type Job, Prisma } from "../generated/prisma/client.ts";
import { findProjectId } from "../projects/project-service.ts";
import { type ChosenReaders, type ExportFormats, planExport, planIngest, planMap, planStages } from "./plan-stages.ts";
import { findRepeat, hashOf, type JobDraft, type JobServices, queueJob, type SubmitOptions } from "./queue-job.ts";
import { checkAgainstDataset, trainableVersion, type VersionWithDataset } from "./trainable-version.ts";

/** How long the service's own jobs may run. */
const serviceJobDuration = "PT12H";
/** Below every training job (1 … 10): what is exported has been waiting in the store all along. */
const exportPriority = 0;

/**
 * Checks, plans and queues a training job in one transaction.
 *
 * @throws AppError JOB_SPEC_INVALID, DATASET_NOT_READY, REQUEST_NOT_FOUND (dataset or project), REQUEST_CONFLICT
 * (the idempotency key belongs to another request), AUTH_FORBIDDEN
 */
export async function submitJob(
  services: JobServices,
  viewer: Viewer,
  input: unknown,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const resolved = resolveJobSpec(input, services.registry);
  const projectId = await projectOf(services, viewer, input, resolved);
  const requestHash = hashOf(input);
  const repeated = await findRepeat(services, projectId, options.idempotencyKey, requestHash);
  if (repeated) return repeated;
  const { version, ref } = await trainableVersion(services, projectId, resolved.dataset);
  checkAgainstDataset(resolved, version);
  const spec = { ...resolved, dataset: ref };
  const draft = {
    kind: spec.kind,
    name: spec.name || `${spec.model.type} on ${version.dataset.name}`,
    spec,
    tags: spec.tags,
    priority: spec.priority,
    projectId,
    datasetVersionId: version.id,
    requestHash,
  };
  return queueJob(services, viewer, draft, planStages(spec, services.registry), options);
}

/** Queues the preview of a dataset version's files; those without a chosen reader are read as they show themselves. */
export async function submitMap(
  services: JobServices,
  viewer: Viewer,
  versionId: string,
  readers: ChosenReaders,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const version = await versionOf(services, viewer, versionId);
  const draft = serviceJob("map", `Preview of ${version.dataset.name}`, version, { readers });
  return queueJob(services, viewer, draft, planMap(readers, services.registry), options);
}

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
  const version = await versionOf(services, viewer, versionId);
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
      `Version ${version.number} of this dataset is ${version.state}; a version is ingested once. Upload the files again to make a new version.`,
    );
  });
}

/**
 * Queues further formats of a finished job's results.
 *
 * @throws AppError REQUEST_CONFLICT when the job has not succeeded, REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function submitExport(
  services: JobServices,
  viewer: Viewer,
  jobId: string,
  formats: ExportFormats,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const source = await services.prisma.job.findFirst({ where: { id: jobId, deletedAt: null, ...visible(viewer) } });
  if (!source) throw notFound("job", jobId);
  if (source.state !== "SUCCEEDED") {
    throw new AppError(
      "REQUEST_CONFLICT",
      `The job is ${source.state}; its results can be exported once it has SUCCEEDED.`,
    );
  }
  const draft = {
    kind: "export",
    name: `Export of ${source.name}`,
    spec: { formats, resources: { maxDuration: serviceJobDuration } },
    tags: {},
    priority: exportPriority,
    projectId: source.projectId,
    datasetVersionId: source.datasetVersionId,
    sourceJobId: source.id,
    requestHash: hashOf({ jobId, formats }),
  };
  return queueJob(services, viewer, draft, planExport(formats, services.registry), options);
}

/** Queues the ingest of a READY version once more, as its graph is damaged; the version stays as it is. */
export async function remakeGraph(services: JobServices, versionId: string, createdBy: string): Promise<void> {
  const version = await services.prisma.datasetVersion.findFirst({
    where: { id: versionId, state: "READY", dataset: { deletedAt: null } },
    include: { dataset: true },
  });
  const parsed = datasetSpec.safeParse(version?.spec);
  if (!version || !parsed.success) return;
  const draft = serviceJob("ingest", `Graph of ${version.dataset.name}, made again`, version, { ingest: parsed.data });
  await queueJob(services, { userId: createdBy }, draft, planIngest(parsed.data, services.registry), {});
}

/** A job that the service makes itself: ahead of training, because a person waits for it. */
function serviceJob(kind: string, name: string, version: VersionWithDataset, spec: Record<string, unknown>): JobDraft {
  return {
    kind,
    name,
    spec: {
      ...spec,
      dataset: `${version.datasetId}@${version.number}`,
      resources: { maxDuration: serviceJobDuration },
    },
    tags: {},
    priority: 8,
    projectId: version.projectId,
    datasetVersionId: version.id,
    requestHash: hashOf({ kind, version: version.id, spec }),
  };
}

/** The project named by the spec; a key of one project needs to name none. */
async function projectOf(services: JobServices, viewer: Viewer, input: unknown, spec: JobSpec): Promise<string> {
  const isNamed = typeof input === "object" && input !== null && "project" in input;
  return findProjectId(services, viewer, isNamed || viewer.projectId === null ? spec.project : null);
}

async function versionOf({ prisma }: JobServices, viewer: Viewer, id: string): Promise<VersionWithDataset> {
  const where = { id, ...visible(viewer), dataset: { deletedAt: null } };
  const version = await prisma.datasetVersion.findFirst({ where, include: { dataset: true } });
  if (!version) throw notFound("dataset version", id);
  return version;
}
