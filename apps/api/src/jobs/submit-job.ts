import { type JobSpec, resolveJobSpec } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { checkVectors } from "../datasets/check-vectors.ts";
import { graphInfoOf } from "../datasets/graph-info.ts";
import { trainableVersion } from "../datasets/trainable-version.ts";
import type { Job, Prisma } from "../generated/prisma/client.ts";
import { taskOfJob } from "../job-state/job-task.ts";
import { type PlannedStage, planStages } from "../job-state/plan-stages.ts";
import {
  findRepeat,
  hashOf,
  type JobDraft,
  type JobServices,
  queueJob,
  type SubmitOptions,
} from "../job-state/queue-job.ts";
import { requireStillKept } from "../models/applicable-version.ts";
import { startModelOf, withStart } from "../models/start-model.ts";
import { checkContinuation } from "./check-continuation.ts";
import { filledByDataset, type SentSpec } from "./filled-by-dataset.ts";
import { projectOfSpec } from "./project-of-spec.ts";
import { requireRoom } from "./require-room.ts";

/** A training job that has been checked and planned, but is not written yet. */
export interface TrainingDraft {
  readonly draft: JobDraft & { readonly spec: JobSpec };
  readonly stages: readonly PlannedStage[];
  /** For the transaction that writes it: what may have changed since it was checked. */
  readonly requireStillFit: (tx: Prisma.TransactionClient) => Promise<void>;
}

/**
 * Checks, plans and queues a training job in one transaction.
 *
 * @throws AppError JOB_SPEC_INVALID, DATASET_NOT_READY, REQUEST_NOT_FOUND (dataset or project), REQUEST_CONFLICT
 * (the idempotency key belongs to another request), AUTH_FORBIDDEN, and what `requireRoom` throws
 */
export async function submitJob(
  services: JobServices,
  viewer: Viewer,
  input: unknown,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const resolved = resolveJobSpec(input, services.registry);
  const projectId = await projectOfSpec(services, viewer, input, resolved);
  const requestHash = hashOf(input);
  const repeated = await findRepeat(services, projectId, options.idempotencyKey, requestHash);
  if (repeated) return repeated;
  const { draft, stages, requireStillFit } = await draftTraining(services, projectId, { sent: input, resolved });
  return queueJob(services, viewer, draft, stages, options, async (tx) => {
    await requireRoom(tx, projectId, draft.spec.resources);
    await requireStillFit(tx);
  });
}

/**
 * Checks and plans a training job.
 *
 * @param given what the spec leaves to the dataset is filled in (`filledByDataset`)
 * @throws AppError JOB_SPEC_INVALID, DATASET_NOT_READY, REQUEST_NOT_FOUND
 */
export async function draftTraining(services: JobServices, projectId: string, given: SentSpec): Promise<TrainingDraft> {
  const { version, ref } = await trainableVersion(services, projectId, given.resolved.dataset);
  const info = await graphInfoOf(services.prisma, version);
  const { spec: filled } = filledByDataset(given, version, info, services.registry);
  await checkVectors(services, filled, version);
  const start = await startModelOf(services, projectId, filled, version);
  const spec = { ...withStart(filled, start), dataset: ref };
  await checkContinuation(services, projectId, spec, version.id);
  const draft = {
    kind: spec.kind,
    name: spec.name || `${spec.model.type} on ${version.dataset.name}`,
    spec,
    tags: spec.tags,
    priority: spec.priority,
    projectId,
    datasetVersionId: version.id,
    ...(start && { modelArtifactId: start.artifactId }),
    datasetName: version.dataset.name,
    modelType: spec.model.type,
    numRanks: spec.resources.ranks,
    chiefMetric: taskOfJob({ kind: spec.kind, spec }, services.registry)?.chiefMetric ?? null,
    requestHash: hashOf(given.sent),
  };
  const requireStillFit = async (tx: Prisma.TransactionClient) => {
    if (start) await requireStillKept(tx, start.versionId, start.ref);
  };
  return { draft, stages: planStages(spec, services.registry), requireStillFit };
}
