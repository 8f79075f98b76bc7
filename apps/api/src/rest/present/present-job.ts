import type { JobAnswer, QueueAnswer, StageAnswer } from "@hopwise/contracts";
import { estimateOf, problemOfRow, specOf, tagsOf } from "../../database/stored-json.ts";
import type { Job, Stage } from "../../generated/prisma/client.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { isoOrNull } from "./times.ts";

/** A job as REST shows it. */
export function presentJob(job: Job): JobAnswer {
  const { id, projectId, createdBy, kind, name, state, waitReason, priority, datasetVersionId, sourceJobId, attempt } =
    job;
  const { starred, note, datasetName, modelType, numRanks, result, sweepId } = job;
  return {
    id,
    projectId,
    createdBy,
    kind,
    name,
    state,
    waitReason,
    spec: specOf(job),
    tags: tagsOf(job),
    starred,
    note,
    datasetName,
    modelType,
    numRanks,
    result,
    priority,
    datasetVersionId,
    sourceJobId,
    sweepId,
    endsTraining: job.desired === "END_TRAINING",
    attempt,
    cursor: String(job.cursor),
    estimate: estimateOf(job),
    problem: problemOfRow(job),
    createdAt: job.createdAt.toISOString(),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
  };
}

export function presentStage(stage: Stage): StageAnswer {
  const { index, kind, state, cached, attempt, ranks, phase, completed, total, unit, etaSeconds, outputId } = stage;
  return {
    index,
    kind,
    state,
    cached,
    attempt,
    ranks,
    phase,
    completed: completed === null ? null : Number(completed),
    total: total === null ? null : Number(total),
    unit,
    etaSeconds,
    outputId,
    problem: problemOfRow(stage),
    startedAt: isoOrNull(stage.startedAt),
    finishedAt: isoOrNull(stage.finishedAt),
  };
}

export function presentQueue({ length, jobs }: JobQueue): QueueAnswer {
  return { length, jobs: jobs.map((job) => ({ ...job, submittedAt: job.submittedAt.toISOString() })) };
}
