import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ArtifactCache, type BlobStore, freeBytes, type GrantedStores } from "@hopwise/artifacts";
import {
  AppError,
  keyName,
  keyOfTask,
  problemFrom,
  problemOf,
  type StageKey,
  type StageTask,
  type WorkerEventBody,
} from "@hopwise/contracts";
import type { Manifest, Registry, StepComponent, StepEvent } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import { formatCpuList } from "../binding/cpu-list.ts";
import type { RankBinder } from "../binding/rank-binder.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { DesiredStates } from "./desired-state.ts";
import type { Env } from "../env.ts";
import type { Outbox } from "../events/outbox.ts";
import { type FetchedInputs, fetchInputs } from "./fetch-inputs.ts";
import { holdLease } from "./lease.ts";
import type { Logger } from "../log.ts";
import { ProgressThrottle } from "./progress-throttle.ts";
import { type GroupOutcome, isConsequence, type RankFailure } from "../ranks/group-state.ts";
import { RankGroup } from "../ranks/launcher.ts";
import { libuvThreads } from "../ranks/libuv-threads.ts";
import { memberName } from "../ranks/member-name.ts";
import type { RankPool } from "../ranks/rank-pool.ts";
import { RedisRendezvous } from "../ranks/redis-rendezvous.ts";
import { RendezvousTable } from "../ranks/rendezvous.ts";
import type { RedisAccess } from "../redis-access.ts";
import { storeArtifact } from "./store-result.ts";
import { waitForSpace } from "./wait-for-space.ts";

/** What every stage of this worker shares. */
export interface StageServices {
  readonly env: Env;
  readonly workerId: string;
  readonly bootId: string;
  readonly registry: Registry;
  readonly redis: Redis;
  readonly access: RedisAccess;
  readonly outbox: Outbox;
  readonly desired: DesiredStates;
  readonly stores: GrantedStores;
  readonly cache: ArtifactCache;
  readonly rankPool: RankPool;
  readonly rankBinder: RankBinder;
  /** What each process of a step may allocate; null: what there is */
  readonly stepMemoryBytes: number | null;
  readonly log: Logger;
}

/** Why a stage is stopped from outside. */
export type Stop = "cancelled" | "overtaken" | "shutdown" | "timeLimit" | "readingLimit";

const stillForStallTimes = 12;
/** A step tells by itself that the seconds for reading are over, with the file; if it does not, it hangs. */
const graceMs = 5000;

/** One stage of one attempt on this worker: from its task to the event that ends it. */
export class StageRun {
  readonly key: StageKey;
  readonly #task: StageTask;
  readonly #services: StageServices;
  readonly #log: Logger;
  readonly #dir: string;
  readonly #throttle: ProgressThrottle;
  /** At any stop, as a stage that begins no more needs no inputs. */
  readonly #stopReading = new AbortController();
  /** Not when the worker is shut down: what it has is where the job goes on. */
  readonly #stopWriting = new AbortController();
  #group: RankGroup | null = null;
  #stopped: Stop | null = null;

  constructor(task: StageTask, services: StageServices) {
    const { jobId, attempt, step, requestId } = task;
    this.key = keyOfTask(task);
    this.#task = task;
    this.#services = services;
    this.#log = services.log.child({ jobId, attempt, step, ...(requestId ? { requestId } : {}) });
    this.#dir = join(stagesDir(services.env.worker.dir), keyName(this.key));
    this.#throttle = new ProgressThrottle((body) => this.#tell(body));
  }

  /** Runs the stage to its end. Never throws: the outcome is its last event. */
  async run(): Promise<void> {
    const { redis, desired, outbox, env } = this.#services;
    this.#log.info("stage begins");
    const lease = holdLease(redis, this.key, this.#services, this.#log, (holder) => {
      this.#log.warn({ holder }, "another process holds the lease of this attempt");
      this.stop("overtaken");
    });
    const unwatch = desired.watch(this.key, (reason) => this.stop(reason));
    const limit = setTimeout(() => this.stop("timeLimit"), Math.min(this.#task.maxDurationMs, 2 ** 31 - 1));
    try {
      const end = await this.#execute().catch((error: unknown) => this.#failure(error));
      this.#throttle.flush();
      if (this.#stopped === "overtaken") outbox.drop(this.key);
      else this.#tell(end);
      if (this.#stopped === "cancelled") outbox.hurryEnd(this.key);
      this.#log.info({ end: end.type, host: env.worker.host }, "stage ended");
    } finally {
      clearTimeout(limit);
      unwatch();
      await (this.#stopped === "shutdown" ? lease.release() : lease.stop());
      await rm(this.#dir, { recursive: true, force: true });
    }
  }

  /** Stops the ranks; the first reason given is the one reported. */
  stop(reason: Stop): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#log.info({ reason }, "stage is stopped");
    this.#group?.stop();
    this.#stopReading.abort();
    if (reason !== "shutdown") this.#stopWriting.abort();
  }

  async #execute(): Promise<WorkerEventBody> {
    const { registry } = this.#services;
    const step = registry.get("step", this.#task.step);
    this.#requireDevice();
    this.#requireNetwork();
    const outDir = join(this.#dir, "out");
    const scratchDir = join(this.#dir, "scratch");
    await rm(this.#dir, { recursive: true, force: true });
    await mkdir(outDir, { recursive: true });
    await mkdir(scratchDir, { recursive: true });
    if (this.#stopped) return this.#stopEvent(this.#stopped);

    const { store, release } = this.#openStore(this.#stopWriting.signal);
    try {
      return await this.#runGroup(step, store, outDir, scratchDir);
    } finally {
      release();
    }
  }

  async #runGroup(step: StepComponent, store: BlobStore, outDir: string, scratchDir: string): Promise<WorkerEventBody> {
    const checkpoints = this.#checkpoints(step, store);
    const group = this.#launch(step, checkpoints);
    try {
      const fetched = await this.#fetch(step);
      try {
        group.start(this.#startMessage(step, fetched, outDir, scratchDir));
        const outcome = await this.#withinSeconds(step, group.outcome);
        await checkpoints.settle();
        if (outcome.type === "failed") {
          return this.#stopped
            ? this.#stopEvent(this.#stopped)
            : this.#failedEvent(await this.#nameFullDisk(outcome.cause));
        }
        return outcome.manifest ? await this.#store(store, outDir, outcome.manifest) : { type: "sliceFinished" };
      } finally {
        fetched.release();
      }
    } finally {
      group.stop();
      await group.outcome;
    }
  }

  /** Stops a step that reads uploaded files when its seconds are long over. */
  async #withinSeconds(step: StepComponent, outcome: Promise<GroupOutcome>): Promise<GroupOutcome> {
    if (!step.seconds) return outcome;
    const { most } = this.#services.env.limits.reading[step.seconds];
    const timer = setTimeout(() => this.stop("readingLimit"), Math.min(most * 1000 + graceMs, 2 ** 31 - 1));
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The artifact store as this slice may use it. */
  #openStore(signal: AbortSignal) {
    return this.#services.stores.open({ grant: this.#task.grant, signal });
  }

  async #fetch(step: StepComponent): Promise<FetchedInputs> {
    const { store, release } = this.#openStore(this.#stopReading.signal);
    const fetched = () =>
      fetchInputs(this.#services.cache, store, step, this.#task, (completed, total) =>
        this.#progress({ phase: "fetch inputs", completed, total }),
      );
    try {
      return await this.#waitForSpace(fetched);
    } finally {
      release();
    }
  }

  #requireDevice(): void {
    if (this.#task.device === "cpu") return;
    const detail = `The task asks for ${this.#task.device}; the worker on ${this.#services.env.worker.host} has cpu only.`;
    throw new AppError("DEVICE_NOT_AVAILABLE", detail);
  }

  #requireNetwork(): void {
    const { network, worker } = this.#services.env;
    if (this.#task.slice.count === 1 || network) return;
    const detail = `The worker on ${worker.host} has no address for ranks on other hosts; set HOPWISE_RANK_ADDRESS to an address or interface that they can reach.`;
    throw new AppError("WORKER_INCOMPATIBLE", detail);
  }

  #launch(step: StepComponent, checkpoints: Checkpoints): RankGroup {
    const { env, redis, rankPool, rankBinder } = this.#services;
    const { slice } = this.#task;
    const bindings = rankBinder.bind(slice.ranks);
    const group = new RankGroup({
      firstRank: slice.firstRank,
      numRanks: slice.ranks,
      rendezvous:
        slice.count === 1 ? new RendezvousTable() : new RedisRendezvous(redis, env.redisUrl, this.#task.rendezvous),
      pool: rankPool,
      birthOf: (localRank) => ({
        ...env.engine,
        environment: { ...env.rankEnvironment, UV_THREADPOOL_SIZE: String(libuvThreads(this.#task.options)) },
        threads: this.#task.threadsPerRank,
        cpus: bindings?.[localRank]?.cpus ?? null,
        memoryBytes: this.#services.stepMemoryBytes,
      }),
      memoryBytes: this.#services.stepMemoryBytes,
      place: { host: env.worker.host, step: step.name, worldSize: this.#task.ranks },
      stallMs: env.stallMs,
      // Training and inference advance with every batch; a step on one rank may sit in one call of a library for long.
      stillLimitMs: step.ranks === "all" ? stillForStallTimes * env.stallMs : null,
      log: this.#log,
      onEvent: (rank, event) => this.#onStepEvent(rank, event, checkpoints),
      onIncident: (incident) => {
        this.#log.warn({ ...incident }, "incident");
        if (!this.#stopped) this.#tell({ type: "incident", ...incident, host: env.worker.host });
      },
    });
    this.#group = group;
    const { workerId } = this.#services;
    const { firstRank, ranks } = slice;
    this.#tell({ type: "stageStarted", workerId, host: env.worker.host, firstRank, ranks, pids: group.pids });
    for (const [i, { cpus, nodes }] of (bindings ?? []).entries()) {
      const fields = { cpus: formatCpuList(cpus), numaNodes: formatCpuList(nodes), threads: this.#task.threadsPerRank };
      const member = firstRank + i;
      const message = `${memberName(member, this.#task.ranks)} is bound to CPUs`;
      this.#throttle.push({ type: "log", level: "info", rank: member, message, fields });
    }
    return group;
  }

  /** The same on every host of a stage, and never the same again: ranks of another group or attempt never meet. */
  #groupName(): string {
    return keyName({ ...this.key, slice: 0 });
  }

  /** The stage's progress is the first host's to tell. */
  #progress(progress: { phase: string; completed: number; total: number }): void {
    if (this.key.slice === 0) this.#throttle.push({ type: "progress", unit: "artifacts", ...progress });
  }

  /** Progress and metrics are rank 0's to tell: the others' would only repeat them. */
  #onStepEvent(rank: number, event: StepEvent, checkpoints: Checkpoints): void {
    if (event.type === "checkpoint") {
      if (rank === 0) checkpoints.push(event);
    } else if (rank === 0 || event.type === "rank" || event.type === "log") {
      this.#throttle.push(event);
    }
  }

  #checkpoints(step: StepComponent, store: BlobStore): Checkpoints {
    return new Checkpoints({
      store,
      task: this.#task,
      stepVersion: step.version,
      log: this.#log,
      mayWrite: () => this.#mayCheckpoint(),
      onFull: (detail) => this.#tellFull(`${detail} The stage goes on without this checkpoint.`),
      onSaved: (saved) => {
        this.#throttle.flush();
        this.#tell(saved);
      },
    });
  }

  #startMessage(step: StepComponent, { inputs, resume }: FetchedInputs, outDir: string, scratchDir: string) {
    const { options, device, threadsPerRank, ranks, samplers, rankHosts, slice } = this.#task;
    return {
      type: "start" as const,
      step: step.name,
      options,
      inputs,
      resume,
      outDir,
      scratchDir,
      worldSize: ranks,
      samplers,
      numHosts: rankHosts,
      network: slice.count === 1 ? null : this.#services.env.network,
      device,
      threads: threadsPerRank,
      limits: this.#services.env.limits.reading,
      group: this.#groupName(),
    };
  }

  async #store(store: BlobStore, outDir: string, manifest: Manifest): Promise<WorkerEventBody> {
    if (!(await this.#mayWrite())) return this.#stopEvent(this.#stopped ?? "overtaken");
    this.#progress({ phase: "store result", completed: 0, total: 1 });
    const artifact = await this.#waitForSpace(() => storeArtifact(store, outDir, manifest, this.#task.output));
    this.#progress({ phase: "store result", completed: 1, total: 1 });
    return { type: "stageSucceeded", artifact };
  }

  /** While a disk is full the stage waits, and says so. */
  #waitForSpace<T>(work: () => Promise<T>): Promise<T> {
    const onFull = (detail: string) => this.#tellFull(`${detail} The stage waits until there is room.`);
    return waitForSpace(work, { signal: this.#stopReading.signal, onFull });
  }

  #tellFull(message: string): void {
    const { host } = this.#services.env.worker;
    this.#log.warn({ detail: message }, "a disk is full");
    this.#tell({ type: "incident", code: "STORAGE_FULL", message, rank: null, host });
  }

  /** Whether this attempt still holds the fencing token, as far as Redis can say; prefixes differ by attempt anyway. */
  async #mayWrite(): Promise<boolean> {
    const reason = await this.#services.desired.stopReason(this.key).catch(() => null);
    if (reason) this.stop(reason);
    return this.#stopped === null;
  }

  /** What a worker that is shut down still has is where the job goes on. */
  async #mayCheckpoint(): Promise<boolean> {
    return (await this.#mayWrite()) || this.#stopped === "shutdown";
  }

  #failure(error: unknown): WorkerEventBody {
    if (this.#stopped) return this.#stopEvent(this.#stopped);
    this.#log.error({ err: error }, "stage failed in the worker");
    return { type: "stageFailed", problem: problemFrom(error) };
  }

  /** The system kills a rank (SIGBUS) that writes to a file in its memory which the disk has no room for: it says nothing else of it. */
  async #nameFullDisk(failure: RankFailure): Promise<RankFailure> {
    const { env } = this.#services;
    if (!failure.problem.detail.includes("SIGBUS") || (await freeBytes(env.worker.dir)) > env.minFreeBytes)
      return failure;
    const detail = `${failure.problem.detail} The disk of the files of this worker (HOPWISE_DATA) on ${env.worker.host} is full; make room there.`;
    return { ...failure, problem: problemOf("STORAGE_FULL", detail) };
  }

  /** That ranks of this host miss others is for those others' host to explain. */
  #failedEvent({ problem, died }: RankFailure): WorkerEventBody {
    const isHeld = this.#task.slice.count > 1 && died === null && isConsequence(problem.code);
    return { type: "stageFailed", problem, ...(isHeld ? { isConsequence: true } : {}) };
  }

  #stopEvent(reason: Stop): WorkerEventBody {
    if (reason === "cancelled" || reason === "overtaken") return { type: "stageCancelled" };
    const error = this.#stopError(reason);
    // The other hosts stop at the same step: rank 0's may have a checkpoint to store before the next attempt begins.
    const isHeld = reason === "shutdown" && this.#task.slice.count > 1;
    return { type: "stageFailed", problem: error.problem, ...(isHeld ? { isConsequence: true } : {}) };
  }

  #stopError(reason: "shutdown" | "timeLimit" | "readingLimit"): AppError {
    const { env, registry } = this.#services;
    const { step, maxDurationMs } = this.#task;
    if (reason === "shutdown") {
      return new AppError("WORKER_LOST", `The worker on ${env.worker.host} was shut down; the job goes on elsewhere.`);
    }
    const { seconds } = registry.get("step", step);
    if (reason === "readingLimit" && seconds) {
      const { most, setting } = env.limits.reading[seconds];
      const detail = `The step ${step} on ${env.worker.host} had not read its files after ${most} s (${setting}), nor could it say which. Upload less, or have an operator raise the limit.`;
      return new AppError("DATASET_LIMIT_EXCEEDED", detail);
    }
    return new AppError(
      "JOB_TIME_LIMIT",
      `The stage ran longer than ${maxDurationMs / 1000} s; raise resources.maxDuration.`,
    );
  }

  #tell(body: WorkerEventBody): void {
    this.#services.outbox.append(this.key, body);
  }
}

/** Where stages keep their files while they run. */
export function stagesDir(workerDir: string): string {
  return join(workerDir, "stages");
}
