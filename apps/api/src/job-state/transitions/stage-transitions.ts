import type { MadeArtifact } from "@hopwise/contracts";
import type { Stage } from "../../generated/prisma/client.ts";
import type { JobRun } from "../job-run.ts";
import { withSlice } from "../stage-slices.ts";
import { endCancelled } from "./cancel-transitions.ts";
import { codeOf, finishIfDone, fresh, moveJob } from "./job-transitions.ts";

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
    sweptAt: null,
  };
  run.attemptChanged = "created";
  if (run.job.state === "QUEUED") moveJob(run, "RUNNING", now);
}

/** What a granted stage is to be. */
export interface StageGrant {
  readonly reuseKey: string;
  /** Ranks of the whole stage, on all its hosts */
  readonly ranks: number;
  readonly slices: Stage["slices"];
}

export function queueStage(run: JobRun, stage: Stage, grant: StageGrant, now: Date): void {
  run.changeStage(stage, { ...fresh, ...grant, state: "QUEUED", attempt: run.job.attempt });
  run.changeJob({ waitReason: null });
  run.recordStage(stage, now);
}

/** An artifact with the same reuse key is there: the stage is done without running. */
export function reuseArtifact(run: JobRun, stage: Stage, artifactId: string, reuseKey: string, now: Date): void {
  const done = { state: "SUCCEEDED", cached: true, outputId: artifactId, reuseKey } as const;
  run.changeStage(stage, { ...fresh, ...done, startedAt: now, finishedAt: now });
  run.recordStage(stage, now);
}

/** One of its hosts has begun; the stage runs with the first. */
export function stageStarted(run: JobRun, stage: Stage, slice: number, at: Date): void {
  const slices = withSlice(stage, slice, { state: "RUNNING" });
  run.changeStage(stage, { slices, state: "RUNNING", startedAt: stage.startedAt ?? at });
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
  run.memberOutcome = "FINISHED";
  run.recordStage(stage, at);
  if (run.job.state === "CANCELLING") endCancelled(run, at);
  else finishIfDone(run, at);
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

function big(value: number | null): bigint | null {
  return value === null || !Number.isFinite(value) ? null : BigInt(Math.trunc(value));
}
