import { type MadeArtifact, type Problem, problemOf } from "@hopwise/contracts";
import type { AttemptState, JobState, Prisma, Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "./job-run.ts";

/*
 * The state machines.
 *
 *   Job      QUEUED ─grant─▶ RUNNING ─last stage─▶ SUCCEEDED
 *               │               ├─ problem, or no progress in maxAttempts ─▶ FAILED
 *               └── cancel ──▶ CANCELLING ─ the worker stopped, or is gone ─▶ CANCELLED (FAILED: time limit)
 *   Stage    PENDING ─grant─▶ QUEUED ─stageStarted─▶ RUNNING ─▶ SUCCEEDED | FAILED | CANCELLED
 *               ▲ └─ same reuse key ─▶ SUCCEEDED (cached)
 *               └────── attempt lost or failed retryably ──────┘
 *   Attempt  RUNNING ─▶ SUCCEEDED | FAILED | LOST | CANCELLED
 */

/** Attempts in a row that may pass without a new artifact before the job is given up. */
export const defaultMaxAttempts = 5;

export interface AttemptPlace {
  readonly id: string;
  readonly workerId: string;
  readonly bootId: string;
  readonly host: string;
  readonly ranks: number;
  readonly device: string;
}

/** Takes the next fencing token: every event and artifact of an earlier attempt is ignored from here on. */
export function startAttempt(run: JobRun, place: AttemptPlace, now: Date): void {
  const number = run.job.attempt + 1;
  const reason = number === 1 ? "submitted" : (codeOf(run.attempt?.problem) ?? "restarted");
  run.changeJob({ attempt: number, startedAt: run.job.startedAt ?? now });
  const { projectId, createdBy, id: jobId } = run.job;
  if (run.attempt && run.attemptChanged !== null) run.endedAttempts.push(run.attempt);
  run.attempt = {
    ...place,
    projectId,
    createdBy,
    jobId,
    number,
    reason,
    state: "RUNNING",
    resumedFromEpoch: null,
    problem: null,
    startedAt: now,
    finishedAt: null,
  };
  run.attemptChanged = "created";
  if (run.job.state === "QUEUED") moveJob(run, "RUNNING", now);
}

export function queueStage(run: JobRun, stage: Stage, reuseKey: string, now: Date): void {
  run.changeStage(stage, { ...fresh, state: "QUEUED", attempt: run.job.attempt, reuseKey });
  run.changeJob({ waitReason: null });
  run.recordStage(stage, now);
}

/** An artifact with the same reuse key is there: the stage is done without running. */
export function reuseArtifact(run: JobRun, stage: Stage, artifactId: string, reuseKey: string, now: Date): void {
  const done = { state: "SUCCEEDED", cached: true, outputId: artifactId, reuseKey } as const;
  run.changeStage(stage, { ...fresh, ...done, startedAt: now, finishedAt: now });
  run.recordStage(stage, now);
}

export function stageStarted(run: JobRun, stage: Stage, at: Date): void {
  run.changeStage(stage, { state: "RUNNING", startedAt: at });
  run.recordStage(stage, at);
}

export interface Progress {
  readonly phase: string;
  readonly completed: number;
  readonly total: number | null;
  readonly unit: string;
  readonly etaSeconds: number | null;
}

export function stageProgressed(run: JobRun, stage: Stage, progress: Progress, at: Date): void {
  const { phase, unit, etaSeconds } = progress;
  run.changeStage(stage, { phase, unit, etaSeconds, completed: big(progress.completed), total: big(progress.total) });
  run.recordStage(stage, at);
}

/** The stage's artifact is stored. The job ends with its last stage, or here when it is to be cancelled. */
export function stageSucceeded(run: JobRun, stage: Stage, made: MadeArtifact, at: Date): void {
  addArtifact(run, stage, made, at);
  const completed = stage.total ?? stage.completed;
  run.changeStage(stage, { state: "SUCCEEDED", outputId: made.id, completed, etaSeconds: 0, finishedAt: at });
  run.rankOutcome = "FINISHED";
  run.recordStage(stage, at);
  if (run.job.state === "CANCELLING") endCancelled(run, at);
  else finishIfDone(run, at);
}

export function finishIfDone(run: JobRun, at: Date): void {
  if (run.nextStage !== null || run.hasEnded) return;
  endAttempt(run, "SUCCEEDED", null, at);
  moveJob(run, "SUCCEEDED", at);
}

export interface Checkpoint {
  readonly epoch: number;
  readonly step: number;
}

export function addArtifact(run: JobRun, stage: Stage, made: MadeArtifact, at: Date, checkpoint?: Checkpoint): void {
  const attempt = run.job.attempt;
  const { epoch = null, step = null } = checkpoint ?? {};
  run.artifacts.push({ made, stageIndex: stage.index, attempt, epoch, step });
  run.lastFruitfulAttempt = attempt;
  const { id: artifactId, kind, digest, bytes } = made;
  run.record({ type: "ArtifactReady", body: { artifactId, kind, digest, bytes, epoch } }, at, stage.index);
}

/** The worker gave up on the stage: again in a new attempt when that can help, else the job has failed. */
export function stageFailed(run: JobRun, stage: Stage, problem: Problem, at: Date, maxAttempts: number): void {
  run.rankOutcome = "LOST";
  if (run.job.state === "CANCELLING") {
    run.changeStage(stage, { state: "CANCELLED", finishedAt: at, etaSeconds: null });
    run.recordStage(stage, at);
    endCancelled(run, at);
  } else if (problem.retryable && mayTryAgain(run, maxAttempts)) {
    retryStage(run, stage, "FAILED", problem, at);
  } else {
    failJob(run, stage, problem.retryable ? exhausted(run, problem, maxAttempts) : problem, at);
  }
}

/** The worker is gone with the stage: recorded for the user, then tried again from the last checkpoint. */
export function attemptLost(run: JobRun, stage: Stage, problem: Problem, at: Date, maxAttempts: number): void {
  raiseIncident(run, stage, { code: problem.code, message: problem.detail }, at);
  run.rankOutcome = "LOST";
  if (run.job.state === "CANCELLING") {
    run.changeStage(stage, { state: "CANCELLED", finishedAt: at, etaSeconds: null });
    run.recordStage(stage, at);
    endCancelled(run, at);
  } else if (mayTryAgain(run, maxAttempts)) {
    retryStage(run, stage, "LOST", problem, at);
  } else {
    failJob(run, stage, exhausted(run, problem, maxAttempts), at);
  }
}

export function stageCancelled(run: JobRun, stage: Stage, at: Date): void {
  run.rankOutcome = "FINISHED";
  run.changeStage(stage, { state: "CANCELLED", finishedAt: at, etaSeconds: null });
  run.recordStage(stage, at);
  endCancelled(run, at);
}

/** The user's wish. What nobody runs is cancelled at once, else the worker is told and answers. */
export function requestCancel(run: JobRun, now: Date): void {
  run.changeJob({ desired: "CANCEL" });
  if (run.activeStage === null) endCancelled(run, now);
  else if (run.job.state !== "CANCELLING") moveJob(run, "CANCELLING", now);
}

/** Past its maxDuration: stopped like a cancelled job, but it ends FAILED with this problem. */
export function exceedTimeLimit(run: JobRun, limit: string, now: Date): void {
  const problem = problemOf(
    "JOB_TIME_LIMIT",
    `The job ran longer than its maxDuration of ${limit}; raise resources.maxDuration or train for fewer epochs.`,
    { pointer: "/resources/maxDuration" },
  );
  run.changeJob({ problem: json(problem) });
  requestCancel(run, now);
}

/** Ends a job that was asked to stop and that nobody runs any more. */
export function endCancelled(run: JobRun, at: Date): void {
  for (const stage of run.stages) {
    if (stage.state !== "QUEUED" && stage.state !== "RUNNING") continue;
    run.changeStage(stage, { state: "CANCELLED", finishedAt: at, etaSeconds: null });
    run.recordStage(stage, at);
  }
  const isTimeLimit = codeOf(run.job.problem) === "JOB_TIME_LIMIT";
  endAttempt(run, isTimeLimit ? "FAILED" : "CANCELLED", isTimeLimit ? run.job.problem : null, at);
  moveJob(run, isTimeLimit ? "FAILED" : "CANCELLED", at);
}

export interface IncidentNote {
  readonly code: string;
  readonly message: string;
  readonly rank?: number | null;
  readonly host?: string | null;
}

export function raiseIncident(run: JobRun, stage: Stage | null, note: IncidentNote, at: Date): void {
  const { code, message, rank = null, host = run.attempt?.host ?? null } = note;
  run.record({ type: "IncidentRaised", body: { code, message, rank, host } }, at, stage?.index ?? null);
}

/** Ends the attempt between two stages, so that the next stage can be granted elsewhere. */
export function leaveWorker(run: JobRun, problem: Problem, at: Date): void {
  raiseIncident(run, null, { code: problem.code, message: problem.detail }, at);
  endAttempt(run, "LOST", problem, at);
}

/** The stage cannot even be queued, e.g. because an input was deleted. */
export function failBeforeRunning(run: JobRun, stage: Stage, problem: Problem, at: Date): void {
  failJob(run, stage, problem, at);
}

function retryStage(run: JobRun, stage: Stage, state: AttemptState, problem: Problem, at: Date): void {
  endAttempt(run, state, problem, at);
  run.changeStage(stage, { ...fresh, state: "PENDING" });
  run.recordStage(stage, at);
}

function failJob(run: JobRun, stage: Stage, problem: Problem, at: Date): void {
  run.changeStage(stage, { state: "FAILED", problem: json(problem), finishedAt: at, etaSeconds: null });
  run.recordStage(stage, at);
  endAttempt(run, "FAILED", json(problem), at);
  run.changeJob({ problem: json(problem) });
  moveJob(run, "FAILED", at);
}

/** Attempts count against the limit only when they began to run and then stored nothing. */
function mayTryAgain(run: JobRun, maxAttempts: number): boolean {
  const started = new Set([...run.sequences.keys()].map((key) => Number(key.split("/")[0])));
  const fruitless = [...started].filter((attempt) => attempt > run.lastFruitfulAttempt);
  return fruitless.length < maxAttempts;
}

function exhausted(run: JobRun, last: Problem, maxAttempts: number): Problem {
  return problemOf(
    "JOB_ATTEMPTS_EXHAUSTED",
    `Attempt ${run.job.attempt} failed like the ${maxAttempts - 1} before it, without a new checkpoint. The last one: ${last.code}: ${last.detail}`,
  );
}

function endAttempt(run: JobRun, state: AttemptState, problem: unknown, at: Date): void {
  if (run.attempt?.state !== "RUNNING") return;
  run.changeAttempt({ state, problem: json(problem), finishedAt: at });
}

function moveJob(run: JobRun, state: JobState, at: Date): void {
  const hasEnded = state === "SUCCEEDED" || state === "FAILED" || state === "CANCELLED";
  run.changeJob({ state, ...(hasEnded ? { finishedAt: at, waitReason: null } : {}) });
  const problem = run.job.problem as Problem | null;
  run.record({ type: "JobStateChanged", body: { state, problem } }, at);
}

/** A stage before it runs in this attempt. */
const fresh = {
  cached: false,
  outputId: null,
  phase: null,
  completed: null,
  total: null,
  unit: null,
  etaSeconds: null,
  problem: null,
  startedAt: null,
  finishedAt: null,
} as const;

function big(value: number | null): bigint | null {
  return value === null || !Number.isFinite(value) ? null : BigInt(Math.trunc(value));
}

/** A problem is plain JSON already; only its type does not say so. */
function json(problem: unknown): Prisma.JsonValue {
  return problem as Prisma.JsonValue;
}

function codeOf(problem: unknown): string | undefined {
  if (typeof problem !== "object" || problem === null || !("code" in problem)) return undefined;
  return String(problem.code);
}
