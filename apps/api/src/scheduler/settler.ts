import { AppError, keyName, limits, problemOf, redisKeys, type StageKey } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import type { Stage } from "../generated/prisma/client.ts";
import { type ActiveJob, activeStageOf } from "../job-state/active-jobs.ts";
import { type GrantedSlice, slicesOf, withSlice } from "../job-state/stage-slices.ts";
import { endCancelled, exceedTimeLimit, stageCancelled } from "../job-state/transitions/cancel-transitions.ts";
import { attemptLost, heldFailure, stageFailed } from "../job-state/transitions/failure-transitions.ts";
import type { LeaderChanges } from "../leader/leader-changes.ts";
import { OneByOne } from "../leader/one-by-one.ts";
import type { Logger } from "../logger.ts";
import { readText } from "../redis/read-text.ts";
import type { WorkerDirectory } from "../workers/worker-directory.ts";
import { type JobClock, maxDurationOf } from "./job-clock.ts";
import type { Reachability } from "./reachability.ts";
import type { StageQueues } from "./stage-queues.ts";
import { rebuildTask } from "./stage-tasks.ts";
import type { StageWatch } from "./stage-watch.ts";

export interface SettlerOptions {
  readonly registry: Registry;
  readonly redis: Redis;
  readonly log: Logger;
  readonly changes: LeaderChanges;
  readonly directory: WorkerDirectory;
  readonly queues: StageQueues;
  readonly clock: JobClock;
  readonly reachability: Reachability;
  readonly watch: StageWatch;
  /** How far a slice's events have been read, on the round's clock. */
  readonly hearing: (key: StageKey) => { readonly drainedAt: number; readonly heardAt: number };
  readonly maxAttempts: number;
  /** How long a failure that may only follow from another host's waits for that one's word. */
  readonly holdMs: number;
}

/** Looks after jobs under way: what cannot go on is ended, cancelled, enqueued again or tried anew. */
export class Settler {
  readonly #options: SettlerOptions;
  /** When (performance.now()) a slice's failure was first seen to be held back. */
  readonly #heldSince = new Map<string, number>();
  readonly #oneByOne: OneByOne;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#oneByOne = new OneByOne(options.log, "jobId");
  }

  /** Ends, cancels or retries what cannot go on. @returns whether any job changed */
  async settle(jobs: readonly ActiveJob[]): Promise<boolean> {
    const { watch, clock } = this.#options;
    const keys = new Set<string>();
    const hasChanged = await this.#oneByOne.act(jobs, (job) => {
      const stage = activeStageOf(job);
      if (stage) for (const slice of slicesOf(stage).keys()) keys.add(keyOf(job, stage, slice));
      return this.#settleOne(job, stage);
    });
    watch.retain(keys);
    clock.retain(new Set(jobs.map(({ id }) => id)));
    for (const key of this.#heldSince.keys()) if (!keys.has(key)) this.#heldSince.delete(key);
    return hasChanged;
  }

  async #settleOne(job: ActiveJob, stage: Stage | null): Promise<boolean> {
    const { changes } = this.#options;
    const maxDuration = maxDurationOf(job);
    if (job.state === "RUNNING" && maxDuration !== null && this.#options.clock.isOverdue(job)) {
      await changes.changeJob(job.id, (run) => {
        if (run.job.state === "RUNNING") exceedTimeLimit(run, maxDuration, new Date());
      });
      return true;
    }
    if (!stage) {
      if (job.state !== "CANCELLING") return false;
      await changes.changeJob(job.id, (run) => {
        if (run.job.state === "CANCELLING" && !run.activeStage) endCancelled(run, new Date());
      });
      return true;
    }
    if (job.state === "CANCELLING" && stage.state === "QUEUED" && (await this.#withdraw(job, stage))) return true;
    return this.#judge(job, stage);
  }

  async #withdraw(job: ActiveJob, stage: Stage): Promise<boolean> {
    const { queues, changes } = this.#options;
    let isBegun = false;
    for (const [index, { workerId }] of slicesOf(stage).entries()) {
      if (!(await queues.withdraw(workerId, keyOf(job, stage, index)))) isBegun = true;
    }
    if (isBegun) return false;
    await changes.changeStage(job, stage, (run, current) => stageCancelled(run, current, new Date()));
    return true;
  }

  /** One host that is lost ends the attempt on all of them. */
  async #judge(job: ActiveJob, stage: Stage): Promise<boolean> {
    for (const [index, slice] of slicesOf(stage).entries()) {
      if (slice.state !== "ENDED" && (await this.#judgeSlice(job, stage, index, slice))) return true;
    }
    return this.#endHeld(job, stage);
  }

  /** Nobody has said, for longer than a silent worker is given, why a host's ranks missed the others. */
  async #endHeld(job: ActiveJob, stage: Stage): Promise<boolean> {
    const { changes, holdMs, maxAttempts } = this.#options;
    const isOver = slicesOf(stage).some(
      ({ problem, endedAt }, index) =>
        problem !== null && endedAt !== null && this.#heldForMs(keyOf(job, stage, index)) > holdMs,
    );
    if (!isOver) return false;
    await changes.changeStage(job, stage, (run, current) => heldFailure(run, current, new Date(), maxAttempts));
    return true;
  }

  #heldForMs(key: string): number {
    const now = performance.now();
    const since = this.#heldSince.get(key) ?? now;
    this.#heldSince.set(key, since);
    return now - since;
  }

  async #judgeSlice(job: ActiveJob, stage: Stage, index: number, slice: GrantedSlice): Promise<boolean> {
    const { watch, directory, redis, queues, changes, reachability, hearing, maxAttempts, log } = this.#options;
    const reachableSince = reachability.since;
    if (reachableSince === null) return false;
    const key = keyOf(job, stage, index);
    const { workerId, host } = slice;
    const state = slice.state === "RUNNING" ? "RUNNING" : "QUEUED";
    const finding = watch.judge(
      {
        key,
        state,
        workerId,
        host,
        attemptBootId: slice.bootId,
        bootId: directory.find(workerId)?.raw.bootId ?? null,
        lease: await readText(redis, redisKeys.lease(workerId, job.id, stage.attempt, index), limits.leaseBytes),
        queue: state === "QUEUED" ? await queues.whereIs(workerId, key) : null,
        ...hearing({ jobId: job.id, attempt: stage.attempt, stageIndex: stage.index, slice: index }),
      },
      { now: performance.now(), reachableSince },
    );
    if (finding.kind === "lost") {
      const problem = problemOf("WORKER_LOST", finding.detail);
      log.warn({ jobId: job.id, attempt: stage.attempt, step: stage.kind, workerId }, "the attempt is lost");
      directory.forget(workerId);
      await changes.changeStage(job, stage, (run, current) =>
        attemptLost(run, current, problem, new Date(), maxAttempts, host),
      );
      return true;
    }
    if (finding.kind === "enqueue") await this.#enqueueAgain(job, stage, index, workerId);
    else if (finding.bootId !== null && finding.bootId !== slice.bootId) {
      const { bootId } = finding;
      await changes.changeStage(job, stage, (run, current) => {
        run.changeStage(current, { slices: withSlice(current, index, { bootId }) });
        if (index === 0) run.changeAttempt({ bootId });
      });
    }
    return false;
  }

  async #enqueueAgain(job: ActiveJob, stage: Stage, index: number, workerId: string): Promise<void> {
    const { registry, clock, queues, changes, maxAttempts, log } = this.#options;
    const task = await changes.changeStage(job, stage, (run, current, tx) =>
      rebuildTask(tx, run, current, index, { registry, clock }).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        // An input was found damaged or deleted meanwhile: what the job does then is decided where stages are granted.
        stageFailed(run, current, error.problem, new Date(), maxAttempts);
        return null;
      }),
    );
    if (!task) return;
    log.info({ jobId: job.id, attempt: stage.attempt, step: stage.kind, workerId }, "the stage is enqueued again");
    await queues.enqueue(workerId, task);
  }
}

function keyOf(job: ActiveJob, stage: Stage, slice: number): string {
  return keyName({ jobId: job.id, attempt: stage.attempt, stageIndex: stage.index, slice });
}
