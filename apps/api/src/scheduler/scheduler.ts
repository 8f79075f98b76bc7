import { randomUUID } from "node:crypto";
import { leaseMs, problemOf, redisKeys } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import type { Sweep } from "../artifacts/sweep.ts";
import { EtaEstimator } from "../events/eta.ts";
import { EventConsumer } from "../events/event-consumer.ts";
import { JobEventSource } from "../events/job-event-source.ts";
import { persistEvents, stageKeyOf } from "../events/persist-events.ts";
import type { PrismaClient, Stage } from "../generated/prisma/client.ts";
import { type ActiveJob, activeStageOf, readActiveJobs } from "./active-jobs.ts";
import { grantNextStage, isOverdue, rebuildTask } from "./grant.ts";
import type { JobRun } from "./job-run.ts";
import { changeJob, type Tx } from "./job-store.ts";
import { Leadership, LeadershipLost } from "./leader.ts";
import type { Logger } from "./logger.ts";
import type { WorkerView } from "./placement.ts";
import { Reachability } from "./reachability.ts";
import { Reconciler } from "./reconciler.ts";
import { connectRedis, failFast, patient } from "./redis-connection.ts";
import { StageQueues } from "./stage-queues.ts";
import { StageWatch } from "./stage-watch.ts";
import { attemptLost, defaultMaxAttempts, endCancelled, exceedTimeLimit, stageCancelled } from "./transitions.ts";
import { WorkerDirectory } from "./worker-directory.ts";

export interface SchedulerOptions {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly redisUrl: string;
  readonly log: Logger;
  /** The database serves this process alone (PGlite). */
  readonly isSoleClient: boolean;
  readonly maxAttempts?: number;
  /** Longest time between two rounds. */
  readonly tickMs?: number;
  /** How long a lease or an announcement may be missing. */
  readonly graceMs?: number;
  /** What the leader clears away beside scheduling. */
  readonly sweep?: Sweep;
}

/**
 * Runs jobs: elected among the API processes, it grants slots, enqueues stages, persists what workers report and
 * notices lost workers. Every decision is a transaction that checks the election, so two of them cannot both decide.
 */
export class Scheduler {
  /** Replay and follow a job's events. */
  readonly events: JobEventSource;
  readonly #options: Required<Omit<SchedulerOptions, "sweep">>;
  readonly #sweep: Sweep | null;
  readonly #redis: Redis;
  readonly #blocking: Redis;
  readonly #subscriber: Redis;
  readonly #leadership: Leadership;
  readonly #consumer: EventConsumer;
  readonly #directory: WorkerDirectory;
  readonly #reconciler: Reconciler;
  readonly #queues: StageQueues;
  readonly #reachability: Reachability;
  readonly #watch: StageWatch;
  /** Jobs that wait, with what was true when they last asked in vain. */
  readonly #waiting = new Map<string, string>();
  #isRunning = false;
  #wasLeader = false;
  #campaignedAt = 0;
  #isWoken = false;
  #wake: () => void = () => {};
  #loop: Promise<void> = Promise.resolve();

  constructor({ sweep, ...options }: SchedulerOptions) {
    this.#sweep = sweep ?? null;
    this.#options = { maxAttempts: defaultMaxAttempts, tickMs: 500, graceMs: leaseMs, ...options };
    const { prisma, registry, redisUrl, log, isSoleClient, maxAttempts, graceMs } = this.#options;
    const holder = `api-${randomUUID()}`;
    this.#redis = connectRedis(redisUrl, failFast);
    this.#blocking = connectRedis(redisUrl, patient);
    this.#subscriber = connectRedis(redisUrl, patient);
    this.events = new JobEventSource({ prisma, subscriber: this.#subscriber });
    this.#leadership = new Leadership({ prisma, holder, isSoleClient });
    this.#directory = new WorkerDirectory(prisma, this.#redis, graceMs);
    this.#reconciler = new Reconciler({ prisma, redis: this.#redis, log });
    this.#queues = new StageQueues(this.#redis);
    this.#reachability = new Reachability(graceMs);
    this.#watch = new StageWatch(graceMs);
    const eta = new EtaEstimator();
    const runsOnAllRanks = (step: string) => registry.list("step").some((s) => s.name === step && s.ranks === "all");
    this.#consumer = new EventConsumer({
      redis: this.#redis,
      blocking: this.#blocking,
      log,
      consumer: holder,
      persist: (events) =>
        persistEvents(events, { prisma, leadership: this.#leadership, eta, maxAttempts, runsOnAllRanks }),
      onPersisted: (jobIds) => {
        for (const jobId of jobIds) this.jobChanged(jobId);
      },
      onDeposed: () => this.wake(),
    });
  }

  get isLeader(): boolean {
    return this.#leadership.isLeader;
  }

  start(): void {
    this.#isRunning = true;
    this.events
      .start()
      .catch((err: unknown) => this.#options.log.warn({ err }, "wakes of other replicas are not heard"));
    this.#loop = this.#run();
  }

  /** Ends after the round in progress; jobs go on in their workers and the next scheduler picks them up. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.events.close();
    this.wake();
    await this.#loop;
    await this.#sweep?.settle();
    const consumerEnd = this.#consumer.stop();
    this.#blocking.disconnect();
    await consumerEnd;
    await this.#leadership.resign().catch(() => {});
    await this.#queues.close();
    this.#redis.disconnect();
    this.#subscriber.disconnect();
  }

  /** After a commit that changed this job. */
  jobChanged(jobId: string): void {
    this.events.wake(jobId);
    this.wake();
  }

  /** Begins the next round at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      try {
        await this.#round();
      } catch (err) {
        if (!(err instanceof LeadershipLost)) this.#options.log.warn({ err }, "a scheduling round was cut short");
      }
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (!this.#isWoken && this.#isRunning) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#options.tickMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isWoken = false;
    this.#wake = () => {};
  }

  async #round(): Promise<void> {
    if (!(await this.#lead())) return;
    const isUp = await this.#redis.ping().then(
      () => true,
      () => false,
    );
    this.#reachability.note(isUp, performance.now());
    if (!isUp) return;
    if (await this.#reconciler.check()) {
      this.#reachability.restart(performance.now());
      this.#watch.forgetQueue();
    }
    await this.#directory.refresh();
    let jobs = await readActiveJobs(this.#options.prisma);
    if (await this.#settle(jobs)) jobs = await readActiveJobs(this.#options.prisma);
    if (await this.#grant(jobs)) jobs = await readActiveJobs(this.#options.prisma);
    await this.#mirror(jobs);
    this.#sweep?.startIfDue(this.#leadership);
  }

  /** Renews or seeks the election; starts and stops what only a leader does. */
  async #lead(): Promise<boolean> {
    const now = performance.now();
    if (this.#leadership.isLeader && now - this.#campaignedAt < 1000) return true;
    this.#campaignedAt = now;
    const isLeader = await this.#leadership.campaign();
    if (isLeader && !this.#wasLeader) {
      this.#options.log.info("this process schedules now");
      await this.#directory.markForgotten();
      this.#consumer.start();
    } else if (!isLeader && this.#wasLeader) {
      this.#options.log.warn("another process schedules now");
      await this.#consumer.stop();
    }
    this.#wasLeader = isLeader;
    return isLeader;
  }

  /** Ends, cancels or retries what cannot go on. @returns whether any job changed */
  async #settle(jobs: readonly ActiveJob[]): Promise<boolean> {
    const keys = new Set<string>();
    let hasChanged = false;
    for (const job of jobs) {
      const stage = activeStageOf(job);
      if (stage) keys.add(stageKeyOf({ jobId: job.id, attempt: stage.attempt, stageIndex: stage.index }));
      hasChanged = (await this.#settleOne(job, stage)) || hasChanged;
    }
    this.#watch.retain(keys);
    return hasChanged;
  }

  async #settleOne(job: ActiveJob, stage: Stage | null): Promise<boolean> {
    if (job.state === "RUNNING" && isOverdue({ job }, new Date())) {
      return this.#change(job.id, (run) => {
        if (run.job.state === "RUNNING") exceedTimeLimit(run, maxDurationOf(job), new Date());
      });
    }
    if (!stage) {
      if (job.state !== "CANCELLING") return false;
      return this.#change(job.id, (run) => {
        if (run.job.state === "CANCELLING" && !run.activeStage) endCancelled(run, new Date());
      });
    }
    if (job.state === "CANCELLING" && stage.state === "QUEUED" && (await this.#withdraw(job, stage))) return true;
    return this.#judge(job, stage);
  }

  async #withdraw(job: ActiveJob, stage: Stage): Promise<boolean> {
    const key = stageKeyOf({ jobId: job.id, attempt: stage.attempt, stageIndex: stage.index });
    const workerId = job.attempts[0]?.workerId ?? "";
    if (!(await this.#queues.withdraw(workerId, key))) return false;
    await this.#changeStage(job, stage, (run, current) => stageCancelled(run, current, new Date()));
    return true;
  }

  async #judge(job: ActiveJob, stage: Stage): Promise<boolean> {
    const attempt = job.attempts[0];
    const reachableSince = this.#reachability.since;
    if (!attempt || reachableSince === null) return false;
    const key = stageKeyOf({ jobId: job.id, attempt: stage.attempt, stageIndex: stage.index });
    const { workerId, host } = attempt;
    const state = stage.state === "RUNNING" ? "RUNNING" : "QUEUED";
    const finding = this.#watch.judge(
      {
        key,
        state,
        workerId,
        host,
        attemptBootId: attempt.bootId,
        bootId: this.#directory.find(workerId)?.raw.bootId ?? null,
        lease: await this.#redis.get(redisKeys.lease(job.id, stage.attempt)),
        queue: state === "QUEUED" ? await this.#queues.whereIs(workerId, key) : null,
      },
      { now: performance.now(), reachableSince, drainedAt: this.#consumer.drainedAt },
    );
    if (finding.kind === "lost") {
      const problem = problemOf("WORKER_LOST", finding.detail);
      const { maxAttempts, log } = this.#options;
      log.warn({ jobId: job.id, attempt: stage.attempt, step: stage.kind, workerId }, "the attempt is lost");
      await this.#changeStage(job, stage, (run, current) =>
        attemptLost(run, current, problem, new Date(), maxAttempts),
      );
      return true;
    }
    if (finding.kind === "enqueue") await this.#enqueueAgain(job, stage, workerId);
    else if (finding.bootId !== null && finding.bootId !== attempt.bootId) {
      const { bootId } = finding;
      await this.#changeStage(job, stage, (run) => run.changeAttempt({ bootId }));
    }
    return false;
  }

  async #enqueueAgain(job: ActiveJob, stage: Stage, workerId: string): Promise<void> {
    const { registry, log } = this.#options;
    const task = await this.#changeStage(job, stage, (run, current, tx) => rebuildTask(tx, run, current, registry));
    if (!task) return;
    log.info({ jobId: job.id, attempt: stage.attempt, step: stage.kind, workerId }, "the stage is enqueued again");
    await this.#queues.enqueue(workerId, task);
  }

  /** @returns whether any job changed */
  async #grant(jobs: readonly ActiveJob[]): Promise<boolean> {
    const workers = this.#workerViews(jobs);
    const waiting = jobs.filter((job) => job.state !== "CANCELLING" && activeStageOf(job) === null);
    let hasChanged = false;
    for (const job of waiting) {
      const asked = JSON.stringify([job.cursor, workers.map(signatureOf)]);
      if (this.#waiting.get(job.id) === asked) continue;
      const { prisma, registry, log } = this.#options;
      const grant = await grantNextStage(job.id, workers, { prisma, registry, leadership: this.#leadership });
      if (grant.kind === "waiting") {
        this.#waiting.set(job.id, asked);
        log.debug({ jobId: job.id, reason: grant.reason }, "the job waits");
        if (grant.reserve) grant.reserve.freeSlots = 0;
        continue;
      }
      this.#waiting.delete(job.id);
      hasChanged = true;
      this.events.wake(job.id);
      if (grant.kind !== "queued") continue;
      const { attempt, step, ranks } = grant.task;
      log.info({ jobId: job.id, attempt, step, ranks, workerId: grant.workerId }, "the stage is granted");
      await this.#queues.enqueue(grant.workerId, grant.task);
    }
    const active = new Set(waiting.map(({ id }) => id));
    for (const jobId of this.#waiting.keys()) if (!active.has(jobId)) this.#waiting.delete(jobId);
    return hasChanged;
  }

  #workerViews(jobs: readonly ActiveJob[]): WorkerView[] {
    const taken = new Map<string, number>();
    for (const job of jobs) {
      const workerId = job.attempts[0]?.workerId;
      const ranks = activeStageOf(job)?.ranks ?? 0;
      if (workerId !== undefined) taken.set(workerId, (taken.get(workerId) ?? 0) + ranks);
    }
    return this.#directory
      .present()
      .flatMap(({ announcement, refusal }) =>
        announcement
          ? [{ announcement, refusal, freeSlots: announcement.slots - (taken.get(announcement.id) ?? 0) }]
          : [],
      );
  }

  async #mirror(jobs: readonly ActiveJob[]): Promise<void> {
    const ended = this.#reconciler.endedSince(new Set(jobs.map(({ id }) => id)));
    const sources = ended.length === 0 ? [] : await this.#readEnded(ended);
    await this.#reconciler.mirrorDesired([...jobs, ...sources]);
    this.#reconciler.forget(ended);
  }

  #readEnded(ids: readonly string[]) {
    const select = { id: true, state: true, desired: true, attempt: true, attempts: true } as const;
    return this.#options.prisma.job.findMany({ where: { id: { in: [...ids] } }, select });
  }

  /** Changes the job if its active stage is still the one that was looked at. */
  async #changeStage<T>(
    job: ActiveJob,
    seen: Stage,
    change: (run: JobRun, stage: Stage, tx: Tx) => T | Promise<T>,
  ): Promise<T | null> {
    let result: T | null = null;
    await this.#change(job.id, async (run, tx) => {
      const stage = run.activeStage;
      if (stage?.index !== seen.index || stage.attempt !== seen.attempt) return;
      result = await change(run, stage, tx);
    });
    return result;
  }

  async #change(jobId: string, change: (run: JobRun, tx: Tx) => void | Promise<void>): Promise<boolean> {
    await changeJob(this.#options.prisma, jobId, async (run, tx) => {
      await this.#leadership.assert(tx);
      await change(run, tx);
    });
    this.events.wake(jobId);
    return true;
  }
}

function maxDurationOf(job: ActiveJob): string {
  const { resources } = job.spec as { resources?: { maxDuration?: string } };
  return resources?.maxDuration ?? "PT12H";
}

/** What of a worker decides whether asking again can help. */
function signatureOf({ announcement, refusal, freeSlots }: WorkerView): unknown[] {
  const { id, bootId, slots, draining } = announcement;
  return [id, bootId, slots, draining, refusal, freeSlots];
}
