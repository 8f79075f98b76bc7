import { randomUUID } from "node:crypto";
import { leaseMs } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import type { Integrity } from "../artifacts/integrity.ts";
import type { Scrub } from "../artifacts/scrub.ts";
import type { Sweep } from "../artifacts/sweep.ts";
import { EtaEstimator } from "../events/eta.ts";
import { EventConsumer } from "../events/event-consumer.ts";
import { JobEventSource } from "../events/job-event-source.ts";
import { persistApart } from "../events/persist-apart.ts";
import { persistEvents } from "../events/persist-events.ts";
import { readPersistedSeqs } from "../events/persisted-seqs.ts";
import type { FollowedSlice } from "../events/slice-source.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { type ActiveJob, activeStageOf, readActiveJobs } from "../job-state/active-jobs.ts";
import { slicesOf } from "../job-state/stage-slices.ts";
import { defaultMaxAttempts } from "../job-state/transitions/failure-transitions.ts";
import { LeaderChanges } from "../leader/leader-changes.ts";
import type { LeaderWork } from "../leader/leader-work.ts";
import { Leadership, LeadershipLost } from "../leader/leadership.ts";
import { OneByOne } from "../leader/one-by-one.ts";
import type { Logger } from "../logger.ts";
import type { NoticeTeller } from "../notices/notice-teller.ts";
import { RedisCondition } from "../redis/redis-condition.ts";
import { connectRedis, failFast, patient } from "../redis/redis-connection.ts";
import { DoctorGrants } from "../store/doctor-grants.ts";
import type { StoreGrants } from "../store/store-grants.ts";
import { WorkerDirectory } from "../workers/worker-directory.ts";
import { WorkerHistory } from "../workers/worker-history.ts";
import { WorkerLogs } from "../workers/worker-logs.ts";
import { WorkerUsers } from "../workers/worker-users.ts";
import { DamageSearch } from "./damage-search.ts";
import { Granter } from "./granter.ts";
import { JobClock } from "./job-clock.ts";
import { Reachability } from "./reachability.ts";
import { Reconciler } from "./reconciler.ts";
import { remakeGraphs } from "./remake-graphs.ts";
import { RendezvousNames } from "./rendezvous-names.ts";
import { Settler } from "./settler.ts";
import { StageQueues } from "./stage-queues.ts";
import { StageWatch } from "./stage-watch.ts";
import { heldSlots } from "./worker-views.ts";

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
  /** What it reads from time to time, to find what is damaged. */
  readonly scrub?: Scrub;
  /** Left out: what workers say of damaged files is not looked into. */
  readonly integrity?: Integrity;
  /** For workers that reach the artifact store through this service; left out: they share its folder. */
  readonly grants?: StoreGrants;
  /** Tells people and webhooks what became of jobs. */
  readonly notices?: NoticeTeller;
  /** Has searches for settings go on. */
  readonly searches?: LeaderWork;
  /** Has imports fetched again when they are due. */
  readonly schedules?: LeaderWork;
}

/**
 * Runs jobs: elected among the API processes, it grants slots, enqueues stages, persists what workers report and
 * notices lost workers. Every decision is a transaction that checks the election, so two of them cannot both decide.
 */
export class Scheduler {
  /** Replay and follow a job's events. */
  readonly events: JobEventSource;
  /** Whom Redis lets in as a worker. */
  readonly workerUsers: WorkerUsers;
  /** What workers say of themselves. */
  readonly workerLogs: WorkerLogs;
  readonly #options: Required<
    Omit<SchedulerOptions, "sweep" | "scrub" | "integrity" | "grants" | "notices" | "searches" | "schedules">
  >;
  readonly #sweep: Sweep | null;
  readonly #scrub: Scrub | null;
  readonly #notices: NoticeTeller | null;
  readonly #searches: LeaderWork | null;
  readonly #schedules: LeaderWork | null;
  readonly #damageSearch: DamageSearch | null;
  readonly #redis: Redis;
  readonly #blocking: Redis;
  readonly #subscriber: Redis;
  readonly #leadership: Leadership;
  readonly #consumer: EventConsumer;
  readonly #directory: WorkerDirectory;
  readonly #history: WorkerHistory;
  readonly #reconciler: Reconciler;
  readonly #queues: StageQueues;
  readonly #doctorGrants: DoctorGrants | null;
  readonly #reachability: Reachability;
  readonly #condition: RedisCondition;
  readonly #watch: StageWatch;
  readonly #settler: Settler;
  readonly #granter: Granter;
  readonly #damagedVersions: OneByOne;
  #isRunning = false;
  #wasLeader = false;
  #campaignedAt = 0;
  #isWoken = false;
  #wake: () => void = () => {};
  #loop: Promise<void> = Promise.resolve();

  constructor({ sweep, scrub, integrity, grants, notices, searches, schedules, ...options }: SchedulerOptions) {
    this.#sweep = sweep ?? null;
    this.#scrub = scrub ?? null;
    this.#notices = notices ?? null;
    this.#searches = searches ?? null;
    this.#schedules = schedules ?? null;
    this.#options = { maxAttempts: defaultMaxAttempts, tickMs: 500, graceMs: leaseMs, ...options };
    const { prisma, registry, redisUrl, log, isSoleClient, maxAttempts, graceMs } = this.#options;
    const holder = `api-${randomUUID()}`;
    this.#redis = connectRedis(redisUrl, failFast);
    this.#blocking = connectRedis(redisUrl, patient);
    this.#subscriber = connectRedis(redisUrl, patient);
    this.events = new JobEventSource({ prisma, subscriber: this.#subscriber });
    this.#leadership = new Leadership({ prisma, holder, isSoleClient });
    this.#directory = new WorkerDirectory({ prisma, redis: this.#redis, staleMs: graceMs, log });
    this.#history = new WorkerHistory(prisma);
    this.#reconciler = new Reconciler({ prisma, redis: this.#redis, log });
    this.workerUsers = new WorkerUsers({ prisma, redis: this.#redis, log });
    this.workerLogs = new WorkerLogs(this.#redis);
    const rendezvous = new RendezvousNames(prisma);
    this.#queues = new StageQueues({ redis: this.#redis, rendezvous, grants: grants ?? null });
    this.#doctorGrants = grants ? new DoctorGrants({ redis: this.#redis, grants, log }) : null;
    this.#reachability = new Reachability(graceMs);
    this.#condition = new RedisCondition(this.#redis, log);
    this.#watch = new StageWatch(graceMs);
    const eta = new EtaEstimator();
    const runsOnAllRanks = (step: string) => registry.list("step").some((s) => s.name === step && s.ranks === "all");
    this.#consumer = new EventConsumer({
      redis: this.#redis,
      blocking: this.#blocking,
      log,
      readPersisted: (keys) => readPersistedSeqs(prisma, keys),
      persist: (events) =>
        persistApart(events, (some) =>
          persistEvents(some, { prisma, leadership: this.#leadership, eta, maxAttempts, runsOnAllRanks }),
        ),
      onPersisted: (jobIds, movesJobs) => {
        for (const jobId of jobIds) this.events.wake(jobId);
        if (movesJobs) this.wake();
      },
      onDeposed: () => this.wake(),
    });
    const parts = { registry, log, directory: this.#directory, queues: this.#queues, clock: new JobClock() };
    const onChanged = (jobId: string) => this.events.wake(jobId);
    this.#settler = new Settler({
      ...parts,
      maxAttempts,
      // A dead worker is found after its announcement has run out and been missed for as long again.
      holdMs: 2 * graceMs + 2000,
      redis: this.#redis,
      reachability: this.#reachability,
      watch: this.#watch,
      hearing: (key) => this.#consumer.hearing(key),
      changes: new LeaderChanges({ prisma, leadership: this.#leadership, onChanged }),
    });
    const onEnded = () => this.wake();
    this.#damageSearch = integrity ? new DamageSearch({ prisma, integrity, log, onEnded }) : null;
    const own = { prisma, leadership: this.#leadership, damageSearch: this.#damageSearch };
    this.#damagedVersions = new OneByOne(log, "versionId");
    this.#granter = new Granter({ ...parts, ...own, remakes: this.#damagedVersions, onChanged });
  }

  get isLeader(): boolean {
    return this.#leadership.isLeader;
  }

  start(): void {
    this.#isRunning = true;
    this.events
      .start()
      .catch((err: unknown) => this.#options.log.warn({ err }, "wakes of other replicas are not heard"));
    this.#doctorGrants
      ?.listen(this.#subscriber)
      .catch((err: unknown) => this.#options.log.warn({ err }, "checks of the workers get no grants"));
    this.#loop = this.#run();
  }

  /** Ends after the round in progress; jobs go on in their workers and the next scheduler picks them up. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.events.close();
    this.wake();
    await this.#loop;
    await this.#notices?.stop();
    await this.#searches?.settle();
    await this.#schedules?.settle();
    await this.#sweep?.settle();
    await this.#scrub?.stop();
    await this.#damageSearch?.settle();
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
    this.#notices?.startIfDue(this.#leadership);
    this.#searches?.startIfDue(this.#leadership);
    this.#schedules?.startIfDue(this.#leadership);
    const isFit = await this.#condition.takesWrites();
    this.#reachability.note(isFit, performance.now());
    if (!isFit) return;
    await this.workerUsers.writeIfDue();
    if (await this.#reconciler.check()) {
      this.#reachability.restart(performance.now());
      this.#watch.forgetQueue();
    }
    await this.#directory.refresh();
    let jobs = await readActiveJobs(this.#options.prisma);
    if (await this.#settler.settle(jobs)) jobs = await readActiveJobs(this.#options.prisma);
    await remakeGraphs({ ...this.#options, jobChanged: (id) => this.jobChanged(id) }, this.#damagedVersions);
    if (await this.#granter.grant(jobs)) jobs = await readActiveJobs(this.#options.prisma);
    this.#consumer.follow(jobs.flatMap(followedSlicesOf));
    await this.#mirror(jobs);
    await this.#noteHistory(jobs);
    this.#sweep?.startIfDue(this.#leadership);
    this.#scrub?.startIfDue();
  }

  /** No job waits for it: what a worker says of itself may be nothing that a database takes. */
  async #noteHistory(jobs: readonly ActiveJob[]): Promise<void> {
    const held = heldSlots(jobs.flatMap((job) => activeStageOf(job) ?? []));
    await this.#history.recordIfDue(this.#directory.present(), held).catch((err: unknown) => {
      this.#options.log.warn({ err }, "what the workers do could not be written down");
    });
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

  async #mirror(jobs: readonly ActiveJob[]): Promise<void> {
    const ended = this.#reconciler.endedSince(new Set(jobs.map(({ id }) => id)));
    const sources = ended.length === 0 ? [] : await this.#readEnded(ended);
    await this.#reconciler.mirrorDesired([...jobs, ...sources]);
    this.#reconciler.forget(ended);
  }

  #readEnded(ids: readonly string[]) {
    const select = { id: true, state: true, desired: true, attempt: true, attempts: true, stages: true } as const;
    return this.#options.prisma.job.findMany({ where: { id: { in: [...ids] } }, select });
  }
}

/** Whose events are to be read while the job is as it is. */
function followedSlicesOf(job: ActiveJob): FollowedSlice[] {
  const stage = activeStageOf(job);
  if (!stage) return [];
  const isCancelling = job.state === "CANCELLING";
  return slicesOf(stage).map(({ workerId }, slice) => {
    const key = { jobId: job.id, attempt: stage.attempt, stageIndex: stage.index, slice };
    return { key, workerId, isCancelling };
  });
}
