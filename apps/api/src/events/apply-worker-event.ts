import {
  AppError,
  endsSlice,
  leadRank,
  membersOf,
  type StageEvent,
  type WorkerEvent,
  type WorkerEventBody,
} from "@hopwise/contracts";
import type { Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import { requireOwnOutput } from "../job-state/stage-output.ts";
import { slicesOf } from "../job-state/stage-slices.ts";
import { stageCancelled } from "../job-state/transitions/cancel-transitions.ts";
import { sliceEnded, stageFailed } from "../job-state/transitions/failure-transitions.ts";
import { raiseIncident } from "../job-state/transitions/job-transitions.ts";
import {
  addArtifact,
  stageProgressed,
  stageStarted,
  stageSucceeded,
} from "../job-state/transitions/stage-transitions.ts";
import type { EtaEstimator } from "./eta.ts";

/** What to do with an event, given what has been persisted. */
export type Verdict =
  /** The next one in order: persist it. */
  | "apply"
  /** Persisted before: acknowledge, nothing else. */
  | "repeat"
  /** The event's attempt is below the job's: its writer has lost the fencing token. Acknowledge, nothing else. */
  | "fenced"
  /** An earlier one is missing: leave it unacknowledged and ask the worker to send again. */
  | "gap";

/** @param isAhead it ends its slice and comes before others on purpose, which a job allows that is to stop */
export function judgeEvent(run: JobRun, event: WorkerEvent, isAhead = false): Verdict {
  if (event.attempt !== run.job.attempt || run.hasEnded) return "fenced";
  const expected = run.persistedSeq(event) + 1;
  if (event.seq < expected) return "repeat";
  if (event.seq === expected) return "apply";
  return isAhead && run.job.state === "CANCELLING" && endsSlice(event.body.type) ? "apply" : "gap";
}

export interface ApplyOptions {
  readonly eta: EtaEstimator;
  readonly maxAttempts: number;
  /** Whether every rank of the job runs this step. */
  readonly runsOnAllRanks: (step: string) => boolean;
}

/** Moves the job by one event. The caller has judged it "apply". */
export function applyWorkerEvent(run: JobRun, event: WorkerEvent, options: ApplyOptions): void {
  const numSkipped = event.seq - run.persistedSeq(event) - 1;
  run.advanceSeq(event, event.seq);
  const stage = run.stages.find(({ index }) => index === event.stageIndex);
  if (!stage || stage.attempt !== event.attempt) return;
  const at = new Date(event.at);
  if (stage.state === "SUCCEEDED") return applyLate(run, stage, event, at, options);
  // A stage that is over hears no more: its worker reports the end of what somebody else has ended.
  if (stage.state !== "QUEUED" && stage.state !== "RUNNING") return;
  if (numSkipped > 0) noteSkipped(run, stage, numSkipped, at);
  try {
    applyBody(run, stage, event, at, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    stageFailed(run, stage, error.problem, at, options.maxAttempts, slicesOf(stage)[event.slice]?.host);
  }
}

/**
 * Slices have a stream each: what one told of its members may be read after another's word that the stage succeeded.
 */
function applyLate(run: JobRun, stage: Stage, { body, slice }: WorkerEvent, at: Date, options: ApplyOptions): void {
  if (body.type === "stageStarted" && options.runsOnAllRanks(stage.kind)) return startMembers(run, stage, slice, body);
  if (body.type === "step" && body.event.type !== "progress")
    return applyStageEvent(run, stage, body.event, at, options);
}

/** What the job told before it was stopped is not waited for; its user hears that there was more. */
function noteSkipped(run: JobRun, stage: Stage, count: number, at: Date): void {
  const message = `${count} events of this stage were left out: they were still waiting when the job had been stopped.`;
  run.record(
    { type: "LogAppended", body: { level: "warn", member: leadRank, message, fields: null } },
    at,
    stage.index,
  );
}

function applyBody(run: JobRun, stage: Stage, event: WorkerEvent, at: Date, options: ApplyOptions): void {
  const { body, slice } = event;
  switch (body.type) {
    case "stageStarted":
      stageStarted(run, stage, slice, at);
      if (options.runsOnAllRanks(stage.kind)) startMembers(run, stage, slice, body);
      return;
    case "step":
      return applyStageEvent(run, stage, body.event, at, options);
    case "metrics":
      for (const point of body.points) recordMetrics(run, stage, { axis: body.axis, ...point }, new Date(point.at));
      return;
    case "checkpointSaved":
      requireOwnOutput(run, stage, body.artifact, body);
      return addArtifact(run, stage, body.artifact, at, { epoch: body.epoch, step: body.step });
    case "incident":
      return raiseIncident(run, stage, body, at);
    case "stageSucceeded":
      requireOwnOutput(run, stage, body.artifact);
      return stageSucceeded(run, stage, body.artifact, at);
    case "sliceFinished":
      return sliceEnded(run, stage, slice, null, at, options.maxAttempts);
    case "stageFailed":
      if (body.isConsequence) return sliceEnded(run, stage, slice, body.problem, at, options.maxAttempts);
      return stageFailed(run, stage, body.problem, at, options.maxAttempts, slicesOf(stage)[slice]?.host);
    case "stageCancelled":
      return stageCancelled(run, stage, at);
  }
}

type Started = Extract<WorkerEventBody, { type: "stageStarted" }>;

/** Whom the host runs is what it was granted, whatever it says. */
function startMembers(run: JobRun, stage: Stage, slice: number, { host, pids }: Started): void {
  const attempt = run.job.attempt;
  const granted = slicesOf(stage)[slice];
  for (const [localRank, member] of (granted ? membersOf(granted) : []).entries()) {
    const pid = pids[localRank];
    run.changeMember({ attempt, member, localRank, host, state: "STARTING", ...(pid === undefined ? {} : { pid }) });
  }
}

function applyStageEvent(run: JobRun, stage: Stage, event: StageEvent, at: Date, { eta }: ApplyOptions): void {
  switch (event.type) {
    case "progress": {
      const { phase, completed, total, unit } = event;
      const etaSeconds = eta.estimate(`${run.job.id}/${stage.index}`, phase, completed, total, at);
      return stageProgressed(run, stage, { phase, completed, total, unit, etaSeconds }, at);
    }
    case "metrics":
      return recordMetrics(run, stage, event, at);
    case "member":
      return recordMember(run, stage, event, at);
    case "log": {
      const { level, member, message, fields = null } = event;
      return run.record({ type: "LogAppended", body: { level, member, message, fields } }, at, stage.index);
    }
  }
}

type MetricsPoint = Pick<Extract<StageEvent, { type: "metrics" }>, "axis" | "step" | "values">;

function recordMetrics(run: JobRun, stage: Stage, event: MetricsPoint, at: Date): void {
  const { axis, step } = event;
  const values = Object.entries(event.values).map(([name, value]) => ({ name, value }));
  for (const { name, value } of values) {
    run.metrics.set(`${name}/${step}`, { name, step, axis, value, attempt: run.job.attempt, at });
  }
  run.record({ type: "MetricsRecorded", body: { axis, step, values } }, at, stage.index);
}

function recordMember(run: JobRun, stage: Stage, event: Extract<StageEvent, { type: "member" }>, at: Date): void {
  const { type: _type, ...snapshot } = event;
  const { member } = snapshot;
  const attempt = run.job.attempt;
  const before = run.memberOf(attempt, member)?.snapshot;
  // Inference trains nothing: the figures of training stay for its reader, who mostly comes after it.
  const kept = before && snapshot.breakdown === null ? before : snapshot;
  const merged = { ...kept, device: snapshot.device, rssBytes: snapshot.rssBytes };
  run.changeMember({ attempt, member, state: "RUNNING", snapshot: merged });
  run.record({ type: "RankUpdated", body: snapshot }, at, stage.index);
}
