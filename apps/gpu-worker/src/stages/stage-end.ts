import { freeBytes } from "@hopwise/artifacts";
import { AppError, problemFrom, problemOf, type StageTask, type WorkerEventBody } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Env } from "../env.ts";
import { isConsequence, type MemberFailure } from "../ranks/group-state.ts";

/** Why a stage is stopped from outside. */
export type Stop = "cancelled" | "overtaken" | "shutdown" | "timeLimit" | "readingLimit";

export interface StageEndContext {
  readonly env: Env;
  readonly registry: Registry;
}

/** The event that ends a stage that was stopped from outside. */
export function stopEvent(reason: Stop, task: StageTask, context: StageEndContext): WorkerEventBody {
  if (reason === "cancelled" || reason === "overtaken") return { type: "stageCancelled" };
  const { problem } = stopError(reason, task, context);
  // The other hosts stop at the same step: rank 0's may have a checkpoint to store before the next attempt begins.
  const isHeld = reason === "shutdown" && task.slice.count > 1;
  return { type: "stageFailed", problem, ...(isHeld ? { isConsequence: true } : {}) };
}

/**
 * The event that ends a stage whose ranks failed. When ranks of this host miss others, those others' host explains why.
 */
export async function failedEvent(failure: MemberFailure, task: StageTask, env: Env): Promise<WorkerEventBody> {
  const { problem, died } = await nameFullDisk(failure, env);
  const isHeld = task.slice.count > 1 && died === null && isConsequence(problem.code);
  return { type: "stageFailed", problem, ...(isHeld ? { isConsequence: true } : {}) };
}

/** The event that ends a stage for an error in the worker itself. */
export function errorEvent(error: unknown): WorkerEventBody {
  return { type: "stageFailed", problem: problemFrom(error) };
}

function stopError(
  reason: Exclude<Stop, "cancelled" | "overtaken">,
  { step, maxDurationMs }: StageTask,
  { env, registry }: StageEndContext,
): AppError {
  const { host } = env.worker;
  if (reason === "shutdown") {
    return new AppError("WORKER_LOST", `The worker on ${host} was shut down; the job goes on elsewhere.`);
  }
  const { seconds } = registry.get("step", step);
  if (reason === "readingLimit" && seconds) {
    const { most, setting } = env.limits.reading[seconds];
    const detail = `The step ${step} on ${host} had not read its files after ${most} s (${setting}), nor could it say which. Upload less, or have an operator raise the limit.`;
    return new AppError("DATASET_LIMIT_EXCEEDED", detail);
  }
  const detail = `The stage ran longer than ${maxDurationMs / 1000} s; raise resources.maxDuration.`;
  return new AppError("JOB_TIME_LIMIT", detail);
}

/** When a disk is full the system kills a rank that writes to a mapped file (SIGBUS), and gives no other reason. */
async function nameFullDisk(failure: MemberFailure, env: Env): Promise<MemberFailure> {
  if (!failure.problem.detail.includes("SIGBUS")) return failure;
  if ((await freeBytes(env.worker.dir)) > env.minFreeBytes) return failure;
  const detail = `${failure.problem.detail} The disk of the files of this worker (HOPWISE_DATA) on ${env.worker.host} is full; make room there.`;
  return { ...failure, problem: problemOf("STORAGE_FULL", detail) };
}
