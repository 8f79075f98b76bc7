import { secondsBetween } from "./format.ts";
import type { JobSnapshot } from "./job-state.ts";

type Timed = Pick<JobSnapshot, "state" | "stages" | "estimate">;
type Stage = JobSnapshot["stages"][number];

/**
 * Seconds until the whole job ends: what is left of the running stage, at its own speed where that is known, and what
 * was estimated for the later ones. Null when nothing tells.
 */
export function secondsLeft(job: Timed, now: number): number | null {
  if (job.state !== "RUNNING") return null;
  const expected = expectedSeconds(job);
  const running = job.stages.find(({ state }) => state === "RUNNING");
  const later = job.stages.filter((stage) => !hasBegun(stage));
  if (!expected) return later.length === 0 ? (running?.etaSeconds ?? null) : null;
  const rest = later.reduce((sum, stage) => sum + expected(stage), 0);
  if (!running) return rest;
  const elapsed = secondsBetween(running.startedAt, null, now) ?? 0;
  return rest + (running.etaSeconds ?? Math.max(0, expected(running) - elapsed));
}

/** How much of the job is done, 0 … 1, by time where times are known, else by stages. */
export function shareDone(job: Timed, now: number): number {
  const left = secondsLeft(job, now);
  const spent = job.stages.reduce((sum, stage) => sum + (secondsOf(stage, now) ?? 0), 0);
  if (left !== null && spent + left > 0) return spent / (spent + left);
  const parts = job.stages.map((stage) => (stage.state === "SUCCEEDED" ? 1 : shareOfStage(stage)));
  return parts.length === 0 ? 0 : parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

/** How much of a stage's phase is done, 0 … 1. */
export function shareOfStage({ state, completed, total }: Stage): number {
  return state === "RUNNING" && total ? Math.min(1, (completed ?? 0) / total) : 0;
}

/** How long a stage has run; null when it never did. */
export function secondsOf({ cached, startedAt, finishedAt }: Stage, now: number): number | null {
  return cached ? null : secondsBetween(startedAt, finishedAt, now);
}

function hasBegun({ state }: Stage): boolean {
  return state !== "PENDING" && state !== "QUEUED";
}

/** The estimate's time by stage: training as estimated, the others in equal shares, for it does not tell them apart. */
function expectedSeconds({ estimate, stages }: Timed): ((stage: Stage) => number) | null {
  if (!estimate || estimate.seconds === null) return null;
  const sumOf = (parts: readonly string[]) =>
    estimate.explanation.filter(({ of }) => parts.includes(of)).reduce((sum, { amount }) => sum + amount, 0);
  const training = sumOf(["timeOverhead", "time"]);
  const others = sumOf(["stageOverhead", "stageTime"]);
  if (training + others <= 0) return null;
  // What earlier jobs here took by the formula is in the total alone.
  const scale = estimate.seconds / (training + others);
  const numOthers = Math.max(1, stages.filter(({ kind }) => kind !== "train").length);
  return ({ kind }) => scale * (kind === "train" ? training : others / numOthers);
}
