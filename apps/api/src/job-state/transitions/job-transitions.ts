import { isTerminal, type Member } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import type { AttemptState, JobState, Prisma, Stage } from "../../generated/prisma/client.ts";
import type { JobRun } from "../job-run.ts";

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

/** The job has its last artifact: it and its attempt have succeeded. */
export function finishIfDone(run: JobRun, at: Date): void {
  if (run.nextStage !== null || run.hasEnded) return;
  endAttempt(run, "SUCCEEDED", null, at);
  moveJob(run, "SUCCEEDED", at);
}

export interface IncidentNote {
  readonly code: string;
  readonly message: string;
  readonly member?: Member | null;
  readonly host?: string | null;
}

export function raiseIncident(run: JobRun, stage: Stage | null, note: IncidentNote, at: Date): void {
  const { code, message, member = null, host = run.attempt?.host ?? null } = note;
  run.record({ type: "IncidentRaised", body: { code, message, member, host } }, at, stage?.index ?? null);
}

/** Nothing more happens in this attempt. */
export function endAttempt(run: JobRun, state: AttemptState, problem: unknown, at: Date): void {
  if (run.attempt?.state !== "RUNNING") return;
  run.changeAttempt({ state, problem: json(problem), finishedAt: at });
}

/** The job has a new state, and its followers hear of it. */
export function moveJob(run: JobRun, state: JobState, at: Date): void {
  run.changeJob({ state, ...(isTerminal(state) ? { finishedAt: at, waitReason: null } : {}) });
  run.record({ type: "JobStateChanged", body: { state, problem: problemOfRow(run.job) } }, at);
}

/** Ends what is queued or running, as the user or a time limit wants. */
export function cancelStage(run: JobRun, stage: Stage, at: Date): void {
  run.changeStage(stage, { state: "CANCELLED", finishedAt: at, etaSeconds: null });
  run.recordStage(stage, at);
}

/** A stage before it runs in this attempt. */
export const fresh = {
  slices: [],
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
} satisfies Partial<Stage>;

/** A problem is plain JSON already; only its type does not say so. */
export function json(problem: unknown): Prisma.JsonValue {
  return problem as Prisma.JsonValue;
}

/** Code of a stored problem. */
export function codeOf(problem: unknown): string | undefined {
  if (typeof problem !== "object" || problem === null || !("code" in problem)) return undefined;
  return String(problem.code);
}
