import { createHash } from "node:crypto";
import { AppError, canonicalJson, leadRank } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { isUniqueViolation } from "../database/unique-violation.ts";
import type { Job, Prisma, PrismaClient } from "../generated/prisma/client.ts";
import { transactionLimits } from "./job-store.ts";
import type { PlannedStage } from "./plan-stages.ts";

/** How long the jobs that the service makes itself (previews, ingests, exports) may run. */
export const serviceJobDuration = "PT12H";

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
  /** Warnings that the job's log begins with */
  readonly warnings?: readonly string[];
}

/** What is known of a job before it has an id. */
export interface JobDraft {
  readonly kind: string;
  readonly name: string;
  readonly spec: unknown;
  readonly tags: Record<string, string>;
  readonly priority: number;
  readonly projectId: string;
  readonly datasetVersionId: string | null;
  readonly sourceJobId?: string;
  /** The model that the job applies or starts from. */
  readonly modelArtifactId?: string;
  /** What lists are sorted by; of a job that trains or applies a model. */
  readonly datasetName?: string;
  readonly modelType?: string;
  readonly numRanks?: number;
  readonly chiefMetric?: string | null;
  /** The sweep that it belongs to, which of its settings it has, and with which seed. */
  readonly sweepId?: string;
  readonly setting?: number;
  readonly seed?: number;
  readonly requestHash: string;
}

/**
 * Writes a job with its planned stages and its first event in one transaction, then wakes the scheduler.
 *
 * @param alongside what else the transaction must do; when it throws, there is no job
 * @throws AppError REQUEST_CONFLICT when the idempotency key belongs to another request
 */
export async function queueJob(
  services: JobServices,
  viewer: Pick<Viewer, "userId">,
  draft: JobDraft,
  stages: readonly PlannedStage[],
  options: SubmitOptions,
  alongside: (tx: Prisma.TransactionClient) => Promise<void> = async () => {},
): Promise<Job> {
  try {
    const [job] = await services.prisma.$transaction(async (tx) => {
      await alongside(tx);
      return insertJobs(tx, viewer, [{ draft, stages, ...options }]);
    }, transactionLimits);
    if (!job) throw new Error("A job was written and not returned.");
    services.jobChanged(job.id);
    return job;
  } catch (error) {
    // Two requests with one idempotency key at the same time: the unique index decides.
    if (!isUniqueViolation(error)) throw error;
    const repeated = await findRepeat(services, draft.projectId, options.idempotencyKey, draft.requestHash);
    if (repeated) return repeated;
    throw error;
  }
}

/** A job to be written, with its stages. */
export interface NewJob extends SubmitOptions {
  readonly draft: JobDraft;
  readonly stages: readonly PlannedStage[];
}

/** Writes jobs with their stages and first events. They are queued in this order: each is a millisecond younger. */
export async function insertJobs(
  tx: Prisma.TransactionClient,
  { userId: createdBy }: Pick<Viewer, "userId">,
  jobs: readonly NewJob[],
): Promise<Job[]> {
  const now = Date.now();
  const rows = jobs.map(({ draft, stages, idempotencyKey = null, requestId, estimate, warnings = [] }, index) => {
    const { projectId } = draft;
    const id = newId("job");
    const createdAt = new Date(now + index);
    const job = {
      ...draft,
      createdBy,
      id,
      createdAt,
      spec: draft.spec as Prisma.InputJsonValue,
      idempotencyKey,
      requestId: requestId ?? null,
      cursor: 1 + warnings.length,
      ...(estimate === undefined ? {} : { estimate: estimate as Prisma.InputJsonValue }),
    };
    const owner = { projectId, createdBy };
    const place = { ...owner, jobId: id, attempt: 0, at: createdAt };
    const lines = warnings.map((message, i) => {
      const member = { memberKind: leadRank.kind, memberIndex: leadRank.index };
      return { ...place, ...member, cursor: 2 + i, level: "warn", message };
    });
    return {
      job,
      stages: stages.map((stage, at) => ({ ...owner, ...stageRow(id, stage, at) })),
      lines,
      events: [
        { ...place, cursor: 1, ...queued },
        ...warnings.map((message, i) => ({ ...place, cursor: 2 + i, ...warning(message) })),
      ],
    };
  });
  const created = await tx.job.createManyAndReturn({ data: rows.map(({ job }) => job) });
  await tx.stage.createMany({ data: rows.flatMap((row) => row.stages) });
  await tx.jobEvent.createMany({ data: rows.flatMap(({ events }) => events) });
  await tx.logLine.createMany({ data: rows.flatMap(({ lines }) => lines) });
  return created;
}

const queued = { type: "JobStateChanged", body: { state: "QUEUED", problem: null } };

function warning(message: string) {
  return { type: "LogAppended", body: { level: "warn", member: leadRank, message, fields: null } };
}

function stageRow(jobId: string, stage: PlannedStage, index: number) {
  const { step, options, ranks } = stage;
  return { id: newId("stage"), jobId, index, kind: step, options: options as Prisma.InputJsonValue, ranks };
}

/** The job that this idempotency key made before, if any. */
export async function findRepeat(
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

/** Tells a repeated request from another one. */
export function hashOf(request: unknown): string {
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}
