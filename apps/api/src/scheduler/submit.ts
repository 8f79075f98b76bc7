import { createHash } from "node:crypto";
import { AppError, type DatasetSpec, type JobSpec, resolveJobSpec } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { isUniqueViolation } from "../database/unique-violation.ts";
import { type DatasetVersion, type Job, Prisma, type PrismaClient } from "../generated/prisma/client.ts";
import { findProjectId } from "../projects/project-service.ts";
import { transactionLimits } from "./job-store.ts";
import { type ExportFormats, type PlannedStage, planExport, planIngest, planMap, planStages } from "./plan-stages.ts";
import { canonicalJson } from "./reuse-key.ts";

/** What submitting and cancelling work with. */
export interface JobServices {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  /** Called after a commit: wakes the scheduler and the followers of this job. */
  readonly jobChanged: (jobId: string) => void;
}

export interface SubmitOptions {
  /** Unique per project: a repeat of the same request gets the job of the first. */
  readonly idempotencyKey?: string | null | undefined;
  readonly requestId?: string | undefined;
  readonly estimate?: unknown;
}

/** How long the service's own jobs may run. */
const serviceJobDuration = "PT12H";

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
  const { version, ref } = await datasetOf(services, projectId, resolved.dataset);
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

/** Queues the preview of a dataset version's files. */
export async function submitMap(
  services: JobServices,
  viewer: Viewer,
  versionId: string,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const version = await versionOf(services, viewer, versionId);
  const draft = serviceJob("map", `Preview of ${version.dataset.name}`, version, {});
  return queueJob(services, viewer, draft, planMap(services.registry), options);
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
 * @throws AppError REQUEST_CONFLICT when the job has not succeeded
 */
export async function submitExport(
  services: JobServices,
  viewer: Viewer,
  jobId: string,
  formats: ExportFormats,
  options: SubmitOptions = {},
): Promise<Job> {
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
    priority: 8,
    projectId: source.projectId,
    datasetVersionId: source.datasetVersionId,
    sourceJobId: source.id,
    requestHash: hashOf({ jobId, formats }),
  };
  return queueJob(services, viewer, draft, planExport(formats, services.registry), options);
}

interface JobDraft {
  readonly kind: string;
  readonly name: string;
  readonly spec: unknown;
  readonly tags: Record<string, string>;
  readonly priority: number;
  readonly projectId: string;
  readonly datasetVersionId: string | null;
  readonly sourceJobId?: string;
  readonly requestHash: string;
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

async function queueJob(
  services: JobServices,
  viewer: Viewer,
  draft: JobDraft,
  stages: readonly PlannedStage[],
  { idempotencyKey = null, requestId, estimate }: SubmitOptions,
  alongside: (tx: Prisma.TransactionClient) => Promise<void> = async () => {},
): Promise<Job> {
  const owner = { projectId: draft.projectId, createdBy: viewer.userId };
  const id = newId("job");
  try {
    const job = await services.prisma.$transaction(async (tx) => {
      await alongside(tx);
      const created = await tx.job.create({
        data: {
          ...draft,
          ...owner,
          id,
          spec: draft.spec as Prisma.InputJsonValue,
          idempotencyKey,
          requestId: requestId ?? null,
          cursor: 1,
          ...(estimate === undefined ? {} : { estimate: estimate as Prisma.InputJsonValue }),
        },
      });
      await tx.stage.createMany({ data: stages.map((stage, index) => ({ ...owner, ...stageRow(id, stage, index) })) });
      await tx.jobEvent.create({
        data: {
          ...owner,
          jobId: id,
          cursor: 1,
          attempt: 0,
          type: "JobStateChanged",
          at: created.createdAt,
          body: { state: "QUEUED", problem: null },
        },
      });
      return created;
    }, transactionLimits);
    services.jobChanged(id);
    return job;
  } catch (error) {
    // Two requests with one idempotency key at the same time: the unique index decides.
    if (!isUniqueViolation(error)) throw error;
    const repeated = await findRepeat(services, draft.projectId, idempotencyKey, draft.requestHash);
    if (repeated) return repeated;
    throw error;
  }
}

function stageRow(jobId: string, stage: PlannedStage, index: number) {
  const { step, options, ranks } = stage;
  return { id: newId("stage"), jobId, index, kind: step, options: options as Prisma.InputJsonValue, ranks };
}

async function findRepeat(
  { prisma }: JobServices,
  projectId: string,
  idempotencyKey: string | null | undefined,
  requestHash: string,
): Promise<Job | null> {
  if (!idempotencyKey) return null;
  const job = await prisma.job.findUnique({ where: { projectId_idempotencyKey: { projectId, idempotencyKey } } });
  if (job && job.requestHash !== requestHash) {
    throw new AppError(
      "REQUEST_CONFLICT",
      `The idempotency key "${idempotencyKey}" was used for job ${job.id} with another request; use a new key for a new job.`,
    );
  }
  return job;
}

/** The project named by the spec; a key of one project needs to name none. */
async function projectOf(services: JobServices, viewer: Viewer, input: unknown, spec: JobSpec): Promise<string> {
  const isNamed = typeof input === "object" && input !== null && "project" in input;
  return findProjectId(services, viewer, isNamed || viewer.projectId === null ? spec.project : null);
}

type VersionWithDataset = Prisma.DatasetVersionGetPayload<{ include: { dataset: true } }>;

/** `ds_…@2`, or the newest version of `ds_…`. */
async function datasetOf(
  { prisma }: JobServices,
  projectId: string,
  ref: string,
): Promise<{ version: VersionWithDataset; ref: string }> {
  const [, datasetId, number] = /^([^@]+)(?:@(\d{1,9}))?$/.exec(ref) ?? [];
  if (datasetId === undefined) {
    throw new AppError("JOB_SPEC_INVALID", `"${ref}" is not a dataset; write its id, or id@version.`, {
      place: { pointer: "/dataset" },
    });
  }
  const version = await prisma.datasetVersion.findFirst({
    where: {
      datasetId,
      dataset: { projectId, deletedAt: null },
      ...(number === undefined ? {} : { number: Number(number) }),
    },
    orderBy: { number: "desc" },
    include: { dataset: true },
  });
  if (!version) throw notFound("dataset", ref);
  if (version.state !== "READY") throw notReady(version);
  return { version, ref: `${datasetId}@${version.number}` };
}

function notReady({ number, state }: DatasetVersion): AppError {
  const next =
    state === "INGESTING"
      ? "wait until it is READY"
      : state === "FAILED"
        ? "upload corrected files"
        : "confirm its columns";
  return new AppError("DATASET_NOT_READY", `Version ${number} of the dataset is ${state}; ${next}.`, {
    place: { pointer: "/dataset" },
  });
}

/** What the confirmed dataset spec can already tell: labels and splits that are not there cannot be trained on. */
function checkAgainstDataset(spec: JobSpec, version: DatasetVersion): void {
  const { nodes } = (version.spec ?? {}) as unknown as DatasetSpec;
  if (nodes === undefined) return;
  if (nodes?.label !== spec.task.target) {
    const found = nodes?.label ? `its label column is "${nodes.label}"` : "it has no label column";
    throw new AppError("JOB_SPEC_INVALID", `The dataset has no label column "${spec.task.target}": ${found}.`, {
      place: { pointer: "/task/target" },
    });
  }
  if (spec.split.type === "column" && !nodes.split) {
    throw new AppError(
      "JOB_SPEC_INVALID",
      'The dataset has no split column; use "split": { "type": "random" } or map one.',
      { place: { pointer: "/split" } },
    );
  }
}

async function versionOf({ prisma }: JobServices, viewer: Viewer, id: string): Promise<VersionWithDataset> {
  const where = { id, ...visible(viewer), dataset: { deletedAt: null } };
  const version = await prisma.datasetVersion.findFirst({ where, include: { dataset: true } });
  if (!version) throw notFound("dataset version", id);
  return version;
}

function hashOf(request: unknown): string {
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}
