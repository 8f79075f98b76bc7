import { type Problem, problemOf } from "@hopwise/contracts";
import type { AttemptState, Stage } from "../../generated/prisma/client.ts";
import type { JobRun } from "../job-run.ts";
import { slicesOf, withSlice } from "../stage-slices.ts";
import { endCancelled } from "./cancel-transitions.ts";
import { cancelStage, endAttempt, fresh, json, moveJob, raiseIncident } from "./job-transitions.ts";

/** Attempts in a row that may pass without a new artifact before the job is given up. */
export const defaultMaxAttempts = 5;

/**
 * The worker on `host` gave up on the stage: again in a new attempt when that can help, recorded for the user as far as
 * the worker has not told of it; else the job has failed.
 */
export function stageFailed(
  run: JobRun,
  stage: Stage,
  problem: Problem,
  at: Date,
  maxAttempts: number,
  host = run.attempt?.host ?? null,
): void {
  run.memberOutcome = "LOST";
  if (run.job.state === "CANCELLING") {
    cancelStage(run, stage, at);
    endCancelled(run, at);
  } else if (problem.retryable && mayTryAgain(run, maxAttempts)) {
    const { code, detail: message } = problem;
    if (!run.hasIncident(code)) raiseIncident(run, stage, { code, message, host }, at);
    retryStage(run, stage, "FAILED", problem, at);
    if (code === "STORAGE_FULL") run.changeJob({ waitReason: message });
  } else {
    failJob(run, stage, problem.retryable ? exhausted(run, problem, maxAttempts) : problem, at);
  }
}

/**
 * One host's members are done, or failed as they do when others are lost (`problem`). Such a failure is held until the
 * host that caused it has told its own, is found lost, or all have ended and nobody knows more.
 */
export function sliceEnded(
  run: JobRun,
  stage: Stage,
  index: number,
  problem: Problem | null,
  at: Date,
  maxAttempts: number,
): void {
  const endedAt = new Date().toISOString();
  run.changeStage(stage, { slices: withSlice(stage, index, { state: "ENDED", problem, endedAt }) });
  const slices = slicesOf(stage);
  if (slices.every(({ state }) => state === "ENDED")) heldFailure(run, stage, at, maxAttempts);
}

/** What was held is the best that is known. */
export function heldFailure(run: JobRun, stage: Stage, at: Date, maxAttempts: number): void {
  const held = slicesOf(stage).filter(({ problem }) => problem !== null);
  // That a worker was shut down says more than that others missed its ranks.
  const { problem, host } = held.find(({ problem }) => problem?.code === "WORKER_LOST") ?? held[0] ?? {};
  if (problem) stageFailed(run, stage, problem, at, maxAttempts, host);
}

/** The worker is gone with the stage: recorded for the user, then tried again from the last checkpoint. */
export function attemptLost(
  run: JobRun,
  stage: Stage,
  problem: Problem,
  at: Date,
  maxAttempts: number,
  host = run.attempt?.host ?? null,
): void {
  raiseIncident(run, stage, { code: problem.code, message: problem.detail, host }, at);
  run.memberOutcome = "LOST";
  if (run.job.state === "CANCELLING") {
    cancelStage(run, stage, at);
    endCancelled(run, at);
  } else if (mayTryAgain(run, maxAttempts)) {
    retryStage(run, stage, "LOST", problem, at);
  } else {
    failJob(run, stage, exhausted(run, problem, maxAttempts), at);
  }
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
  const fruitless = [...started].filter(
    // That a disk was full says nothing about the job: it waits, and goes on however long that took.
    (attempt) => attempt > run.lastFruitfulAttempt && !run.hasIncident("STORAGE_FULL", attempt),
  );
  return fruitless.length < maxAttempts;
}

function exhausted(run: JobRun, last: Problem, maxAttempts: number): Problem {
  return problemOf(
    "JOB_ATTEMPTS_EXHAUSTED",
    `Attempt ${run.job.attempt} failed like the ${maxAttempts - 1} before it, without a new checkpoint. The last one: ${last.code}: ${last.detail}`,
  );
}
