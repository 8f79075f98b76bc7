import { AppError } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { findReusable } from "../artifacts/reusable-artifact.ts";
import type { PrismaClient, Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import { changeJob, type Tx } from "../job-state/job-store.ts";
import { failBeforeRunning } from "../job-state/transitions/failure-transitions.ts";
import { finishIfDone } from "../job-state/transitions/job-transitions.ts";
import { reuseArtifact } from "../job-state/transitions/stage-transitions.ts";
import type { Leadership } from "../leader/leadership.ts";
import type { OneByOne } from "../leader/one-by-one.ts";
import type { JobClock } from "./job-clock.ts";
import { makeAgain } from "./make-again.ts";
import type { WorkerView } from "./need.ts";
import type { ProjectShare } from "./project-share.ts";
import { type Queued, queueOnWorkers, type Waiting } from "./queue-on-workers.ts";
import { InputAwaited } from "./stage-inputs.ts";
import { draftTask, type TaskDraft } from "./stage-tasks.ts";

export interface GrantContext {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly leadership: Pick<Leadership, "assert">;
  readonly clock: JobClock;
  /** What the job's project may be given still; null: it has no limits. */
  readonly share: ProjectShare | null;
  /** Dataset versions whose damaged graph could not be queued to be made again: no job waits for that. */
  readonly remakes: Pick<OneByOne, "hasFailed">;
}

export type Grant =
  | Queued
  | Waiting
  /** Nothing more to do for this job now: it ended, or is busy. */
  | { readonly kind: "none" };

/**
 * Moves a job on until a stage of it is queued on its workers with all its slots, or it has to wait. Stages whose
 * artifact exists already (same reuse key) are passed over without a worker.
 */
export async function grantNextStage(
  jobId: string,
  workers: readonly WorkerView[],
  context: GrantContext,
): Promise<Grant> {
  const grant = await changeJob(context.prisma, jobId, async (run, tx) => {
    await context.leadership.assert(tx);
    const isOpen = run.job.state === "QUEUED" || run.job.state === "RUNNING";
    if (!isOpen || run.job.desired === "CANCEL" || run.activeStage !== null) return none;
    return moveOn(tx, run, workers, context);
  });
  return grant ?? none;
}

const none: Grant = { kind: "none" };

async function moveOn(tx: Tx, run: JobRun, workers: readonly WorkerView[], context: GrantContext): Promise<Grant> {
  await makeAgain(tx, run, context.registry, new Date());
  for (let stage = run.nextStage; stage !== null; stage = run.nextStage) {
    const now = new Date();
    try {
      const task = await draftTask(tx, run, stage, context.registry);
      const reused = await reuseFor(tx, run, stage, task, context.registry);
      if (reused === null) return await queueOnWorkers(tx, run, stage, task, workers, context);
      reuseArtifact(run, stage, reused, task.output.reuseKey, now);
      finishIfDone(run, now);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isHopeless = context.remakes.hasFailed(run.job.datasetVersionId ?? "");
      if (error instanceof InputAwaited && !isHopeless) return waitFor(run, error.message);
      failBeforeRunning(run, stage, error.problem, now);
      return none;
    }
  }
  finishIfDone(run, new Date());
  return none;
}

function waitFor(run: JobRun, reason: string): Grant {
  if (run.job.waitReason !== reason) run.changeJob({ waitReason: reason });
  return { kind: "waiting", reason, reserve: [], lacks: "slots", keep: null, askAgain: true };
}

async function reuseFor(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  task: TaskDraft,
  registry: Registry,
): Promise<string | null> {
  if (registry.get("step", stage.kind).reusable !== true) return null;
  const artifact = await findReusable(tx, run.job.projectId, task.output.kind, task.output.reuseKey);
  return artifact?.id ?? null;
}
