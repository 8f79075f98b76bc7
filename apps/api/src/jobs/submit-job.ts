import { type JobSpec, resolveJobSpec, withRowsToRead } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { checkVectors } from "../datasets/check-vectors.ts";
import { graphInfoOf } from "../datasets/graph-info.ts";
import { checkAgainstDataset, trainableVersion } from "../datasets/trainable-version.ts";
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
  const { draft, stages, requireStillFit } = await draftTraining(services, projectId, resolved, requestHash);
  return queueJob(services, viewer, draft, stages, options, async (tx) => {
    await requireRoom(tx, projectId, draft.spec.resources);
    await requireStillFit(tx);
  });
}

/**
 * Checks and plans a training job.
 *
 * @param asked what the graph leaves to be filled in is (`withRowsToRead`)
 * @throws AppError JOB_SPEC_INVALID, DATASET_NOT_READY, REQUEST_NOT_FOUND
 */
export async function draftTraining(
  services: JobServices,
  projectId: string,
  asked: JobSpec,
  requestHash: string,
): Promise<TrainingDraft> {
  const { version, ref } = await trainableVersion(services, projectId, asked.dataset);
  checkAgainstDataset(asked, version, services.registry);
  const resolved = withRowsToRead(asked, await graphInfoOf(services.prisma, version), services.registry);
  await checkVectors(services, resolved, version);
  const start = await startModelOf(services, projectId, resolved, version);
  const spec = { ...withStart(resolved, start), dataset: ref };
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
    requestHash,
  };
  const requireStillFit = async (tx: Prisma.TransactionClient) => {
    if (start) await requireStillKept(tx, start.versionId, start.ref);
  };
  return { draft, stages: planStages(spec, services.registry), requireStillFit };
}
