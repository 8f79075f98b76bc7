import { jobEventContent, type MemberSnapshot } from "@hopwise/contracts";
import { type Attempt, type JobEvent, Prisma, type PrismaClient, type Stage } from "../generated/prisma/client.ts";
import { applyToDataset } from "./dataset-effects.ts";
import { JobRun } from "./job-run.ts";
import { keepModelOfRun } from "./model-effects.ts";
import { saveNotices } from "./notices-of-run.ts";
import { saveHeldTime } from "./save-held-time.ts";
import { saveEvents, saveMetrics } from "./save-story.ts";

export type Tx = Prisma.TransactionClient;

/**
 * Locks the rows of these jobs until the transaction ends (in id order, so that two transactions cannot deadlock), and
 * reads all of each.
 */
export async function lockJobs(tx: Tx, jobIds: readonly string[]): Promise<Map<string, JobRun>> {
  const ids = [...new Set(jobIds)].toSorted();
  if (ids.length === 0) return new Map();
  await tx.$queryRaw`SELECT id FROM "Job" WHERE id IN (${Prisma.join(ids)}) ORDER BY id FOR UPDATE`;
  const where = { jobId: { in: ids } };
  const jobs = await tx.job.findMany({
    where: { id: { in: ids } },
    include: { stages: { orderBy: { index: "asc" } } },
  });
  const attempts = await tx.attempt.findMany({
    where: { OR: jobs.map((job) => ({ jobId: job.id, number: job.attempt })) },
  });
  const sequences = await tx.stageSequence.findMany({ where });
  const incidents = await tx.incident.findMany({
    where: {
      OR: jobs.flatMap(({ id: jobId, attempt }) => [
        { jobId, attempt },
        { jobId, code: "STORAGE_FULL" },
      ]),
    },
    select: { jobId: true, attempt: true, code: true },
    distinct: ["jobId", "attempt", "code"],
  });
  const fruitful = await tx.artifact.groupBy({ by: ["jobId"], where, _max: { attempt: true } });
  return new Map(
    jobs.map(({ stages, ...job }) => [
      job.id,
      new JobRun({
        job,
        stages,
        attempt: attempts.find((attempt) => attempt.jobId === job.id) ?? null,
        sequences: sequences.filter((row) => row.jobId === job.id),
        incidents: incidents.filter((row) => row.jobId === job.id),
        lastFruitfulAttempt: fruitful.find((row) => row.jobId === job.id)?._max.attempt ?? 0,
      }),
    ]),
  );
}

/**
 * Locks one job, lets `change` move it and writes what changed; the result of `change`, or null when there is no such
 * job.
 */
export async function changeJob<T>(
  prisma: PrismaClient,
  jobId: string,
  change: (run: JobRun, tx: Tx) => T | Promise<T>,
): Promise<T | null> {
  return prisma.$transaction(async (tx) => {
    const run = (await lockJobs(tx, [jobId])).get(jobId);
    if (!run) return null;
    const result = await change(run, tx);
    await saveJobRun(tx, run);
    return result;
  }, transactionLimits);
}

/** PGlite runs one transaction at a time: a busy one makes the others wait. */
export const transactionLimits = { maxWait: 20_000, timeout: 20_000 };

/** Writes everything a JobRun recorded. Call it once, inside the transaction that locked it. */
export async function saveJobRun(tx: Tx, run: JobRun): Promise<void> {
  if (run.isUntouched) return;
  await saveArtifacts(tx, run);
  await saveEvents(tx, run);
  await saveNotices(tx, run);
  await saveMetrics(tx, run);
  await saveMembers(tx, run);
  for (const index of run.changedStages)
    await saveStage(
      tx,
      run.stages.find((stage) => stage.index === index),
    );
  await saveHeldTime(tx, run, new Date());
  await saveResult(tx, run);
  await saveAttempt(tx, run);
  await saveSequences(tx, run);
  await applyToDataset(tx, run);
  await keepModelOfRun(tx, run);
  const { id, state, desired, waitReason, attempt, cursor, startedAt, finishedAt } = run.job;
  const problem = nullable(run.job.problem);
  const data = { state, desired, waitReason, attempt, cursor, startedAt, finishedAt, problem };
  await tx.job.update({ where: { id }, data });
}

async function saveArtifacts(tx: Tx, run: JobRun): Promise<void> {
  if (run.artifacts.length === 0) return;
  const { id: jobId, projectId, createdBy } = run.job;
  await tx.artifact.createMany({
    data: run.artifacts.map(({ made, stageIndex, attempt, epoch, step }) => ({
      id: made.id,
      projectId,
      createdBy,
      jobId,
      attempt,
      stageIndex,
      kind: made.kind,
      prefix: made.prefix,
      digest: made.digest,
      reuseKey: made.reuseKey,
      bytes: BigInt(made.bytes),
      info: made.info as Prisma.InputJsonValue,
      blobs: made.blobs as Prisma.InputJsonValue,
      epoch,
      step,
    })),
    skipDuplicates: true,
  });
}

async function saveMembers(tx: Tx, run: JobRun): Promise<void> {
  const { id: jobId, projectId, createdBy } = run.job;
  for (const { attempt, member, localRank, host, pid, state, snapshot } of run.members.values()) {
    const key = { jobId, attempt, ...member };
    const now = {
      state,
      ...(host === undefined ? {} : { host }),
      ...(pid === undefined ? {} : { pid }),
      ...memberColumns(snapshot),
    };
    const device = snapshot?.device ?? run.attempt?.device ?? "";
    await tx.member.upsert({
      where: { jobId_attempt_kind_index: key },
      create: {
        ...key,
        projectId,
        createdBy,
        localRank: localRank ?? member.index,
        host: run.attempt?.host ?? "",
        device,
        ...now,
      },
      update: now,
    });
  }
  if (run.memberOutcome === null) return;
  await tx.member.updateMany({ where: { jobId, attempt: run.job.attempt }, data: { state: run.memberOutcome } });
}

/**
 * A report without a breakdown is of a stage that trains nothing: it leaves the last figures of training as they are.
 */
function memberColumns(snapshot: MemberSnapshot | undefined) {
  if (!snapshot) return {};
  const { device, seedsPerSecond, breakdown } = snapshot;
  const present = { device, rssBytes: BigInt(Math.trunc(snapshot.rssBytes)) };
  if (breakdown === null) return present;
  return {
    ...present,
    seedsPerSecond,
    breakdown: nullable(breakdown),
    step: BigInt(snapshot.step),
    localRows: BigInt(Math.trunc(snapshot.localRows)),
    remoteRows: BigInt(Math.trunc(snapshot.remoteRows)),
    cachedRows: BigInt(Math.trunc(snapshot.cachedRows)),
  };
}

async function saveStage(tx: Tx, stage: Stage | undefined): Promise<void> {
  if (!stage) return;
  const { id, options: _options, problem, slices, ...columns } = stage;
  const data = { ...columns, slices: slices as Prisma.InputJsonValue, problem: nullable(problem) };
  await tx.stage.update({ where: { id }, data });
}

/**
 * The figures of the model that a stage has just made or found, or applied: lists are sorted by that of the test set,
 * and settings are chosen by that of the validation set.
 */
async function saveResult(tx: Tx, { job, stages, changedStages }: JobRun): Promise<void> {
  const hasOutput = stages.some(({ index, state, outputId }) => {
    return changedStages.has(index) && state === "SUCCEEDED" && outputId !== null;
  });
  if (job.chiefMetric === null || !hasOutput) return;
  const [test, validation] = [`test/${job.chiefMetric}`, `val/${job.chiefMetric}`];
  const kind = job.kind === "infer" ? "remapped" : "model";
  await tx.$executeRaw`
    UPDATE "Job" SET
      "result" = CASE WHEN jsonb_typeof(f."metrics"->${test}) = 'number'
        THEN (f."metrics"->>${test})::float8 ELSE "Job"."result" END,
      "validation" = CASE WHEN jsonb_typeof(f."metrics"->${validation}) = 'number'
        THEN (f."metrics"->>${validation})::float8 ELSE "Job"."validation" END
    FROM (
      SELECT a."info"->'metrics' AS "metrics" FROM "Stage" s JOIN "Artifact" a ON a."id" = s."outputId"
      WHERE s."jobId" = ${job.id} AND a."kind" = ${kind}
    ) f
    WHERE "Job"."id" = ${job.id}`;
}

async function saveAttempt(tx: Tx, run: JobRun): Promise<void> {
  const dataOf = (attempt: Attempt) => ({ ...attempt, problem: nullable(attempt.problem) });
  for (const ended of run.endedAttempts) await tx.attempt.update({ where: { id: ended.id }, data: dataOf(ended) });
  if (!run.attempt || run.attemptChanged === null) return;
  const data = dataOf(run.attempt);
  if (run.attemptChanged === "created") await tx.attempt.create({ data });
  else await tx.attempt.update({ where: { id: data.id }, data });
}

async function saveSequences(tx: Tx, run: JobRun): Promise<void> {
  const jobId = run.job.id;
  for (const key of run.changedSequences) {
    const [attempt, stageIndex, slice] = key.split("/").map(Number) as [number, number, number];
    const seq = run.persistedSeq({ attempt, stageIndex, slice });
    const sequence = { jobId, attempt, stageIndex, slice };
    const where = { jobId_attempt_stageIndex_slice: sequence };
    await tx.stageSequence.upsert({ where, create: { ...sequence, seq }, update: { seq } });
  }
}

/** SQL NULL for null: Prisma tells it from the JSON value null. */
function nullable(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null || value === undefined ? Prisma.DbNull : value;
}

/** A stored row as an event. */
export function eventOfRow({ jobId, cursor, attempt, stageIndex, at, type, body }: JobEvent) {
  return { ...jobEventContent.parse({ type, body }), jobId, cursor, attempt, stageIndex, at };
}
