import { randomUUID } from "node:crypto";
import {
  checkpointPrefix,
  contractVersion,
  countMembers,
  type DesiredState,
  type DeviceKind,
  keyName,
  leadRank,
  type MadeArtifact,
  redisChannels,
  redisKeys,
  type StageTask,
  stageTask,
  type WorkerAnnouncement,
  type WorkerDevice,
  type WorkerEvent,
  type WorkerEventBody,
  workerDevice,
} from "@hopwise/contracts";
import { Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { PrivateRedis } from "./private-redis.ts";

/**
 * Announcements and leases live so long, and are renewed four times as often: short, so that losses show fast, and
 * longer than a busy machine lets this process stand still.
 */
export const testLeaseMs = 2000;

export interface ScriptedStage {
  readonly task: StageTask;
  /** Sends the next event of the stage. */
  emit(body: WorkerEventBody): Promise<void>;
  log(message: string): Promise<void>;
  metric(name: string, step: number, value: number): Promise<void>;
  checkpoint(epoch: number): Promise<void>;
  succeed(): Promise<void>;
  /** Resolves when the service wants the stage stopped. */
  readonly stopped: Promise<void>;
}

export type Script = (stage: ScriptedStage) => Promise<void>;

export interface ScriptedWorkerOptions {
  readonly redis: PrivateRedis;
  readonly id?: string;
  readonly slots?: number;
  readonly rankAddress?: string | null;
  readonly contract?: number;
  readonly device?: DeviceKind;
  /** UUIDs of devices that its ranks get one each; default none: they share the one. */
  readonly devices?: readonly string[];
  /** Announces itself but takes nothing from its queue until `resume()`. */
  readonly isPaused?: boolean;
  readonly components: readonly string[];
  readonly script: Script;
}

/**
 * The worker's side of the Redis protocol with a script in place of the work: real BullMQ queue, real stream, outbox in
 * memory. `die()` is kill -9: nothing is sent, renewed or released any more.
 */
export class ScriptedWorker {
  readonly id: string;
  readonly bootId = randomUUID();
  readonly tasks: StageTask[] = [];
  /** Every event sent and not acknowledged. */
  readonly outbox: WorkerEvent[] = [];
  readonly #options: ScriptedWorkerOptions;
  readonly #redis: Redis;
  readonly #queueConnection: Redis;
  readonly #subscriber: Redis;
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  readonly #leases = new Set<string>();
  readonly #watched = new Map<StageTask, () => void>();
  /** Announced with the next renewal. */
  isDraining = false;
  #generation: string | null = null;
  #isDead = false;

  constructor(options: ScriptedWorkerOptions) {
    this.#options = options;
    this.id = options.id ?? "w1";
    this.#redis = options.redis.client();
    this.#queueConnection = options.redis.client();
    this.#subscriber = options.redis.client();
    this.#subscriber.on("message", (channel: string) => {
      if (channel === redisChannels.resend) this.#resend().catch(ignore);
    });
    this.#subscriber.subscribe(redisChannels.resend).catch(ignore);
    this.#redis.on("ready", () => void this.#resend().catch(ignore));
    this.#worker = new Worker(redisKeys.workerQueue(this.id), (job) => this.#run(stageTask.parse(job.data)), {
      connection: this.#queueConnection,
      concurrency: 8,
      maxStalledCount: 0,
      autorun: options.isPaused !== true,
    });
    this.#worker.on("error", () => {});
    this.#timer = setInterval(() => void this.#renew().catch(ignore), testLeaseMs / 4);
    this.#renew().catch(ignore);
  }

  /** kill -9 */
  async die(): Promise<void> {
    this.#isDead = true;
    clearInterval(this.#timer);
    this.#redis.disconnect();
    this.#subscriber.disconnect();
    await this.#worker.close(true);
    this.#queueConnection.disconnect();
  }

  resume(): void {
    this.#worker.run().catch(ignore);
  }

  /**
   * Puts an event into its slice's stream as it is, with no bookkeeping; one that is there already, or too late, is
   * refused.
   */
  async send(event: WorkerEvent, json = JSON.stringify(event)): Promise<void> {
    const fields = ["type", event.body.type, "event", json];
    await this.#redis.xadd(redisKeys.events(this.id, event), `${event.seq}-0`, ...fields);
  }

  async #renew(): Promise<void> {
    if (this.#isDead) return;
    const { slots = 4, components, contract = contractVersion, rankAddress = null } = this.#options;
    const announcement: WorkerAnnouncement = {
      contract,
      id: this.id,
      bootId: this.bootId,
      host: `host-of-${this.id}`,
      version: "0.1.0",
      build: "test",
      pid: process.pid,
      devices: this.#devices(),
      slots,
      cores: 4,
      memoryBytes: 1e9,
      diskFreeBytes: 1e9,
      isa: "avx2",
      labels: {},
      components: [...components],
      rankAddress,
      draining: this.isDraining,
      running: [],
    };
    await this.#redis.set(redisKeys.worker(this.id), JSON.stringify(announcement), "PX", testLeaseMs);
    for (const lease of this.#leases) await this.#redis.set(lease, `${this.id}/${this.bootId}`, "PX", testLeaseMs);
    const generation = await this.#redis.get(redisKeys.generation);
    if (this.#generation !== null && generation !== this.#generation) await this.#resend();
    this.#generation = generation;
    for (const [task, stop] of this.#watched) {
      const desired = JSON.parse(
        (await this.#redis.hget(redisKeys.desired, task.jobId)) ?? "null",
      ) as DesiredState | null;
      if (desired && (desired.state === "cancel" || desired.attempt > task.attempt)) stop();
    }
  }

  #devices(): WorkerDevice[] {
    const { device = "cpu", devices } = this.#options;
    const ids = devices ?? [null];
    return ids.map((uuid, index) => workerDevice.parse({ kind: device, index, name: "test", memoryBytes: 1e12, uuid }));
  }

  async #resend(): Promise<void> {
    if (this.#isDead) return;
    for (const event of this.outbox) {
      const acked = Number((await this.#redis.hget(redisKeys.acked, keyName(event))) ?? 0);
      if (event.seq > acked) await this.send(event).catch(ignore);
    }
  }

  async #run(task: StageTask): Promise<void> {
    this.tasks.push(task);
    const lease = redisKeys.lease(this.id, task.jobId, task.attempt, task.slice.index);
    this.#leases.add(lease);
    await this.#redis.set(lease, `${this.id}/${this.bootId}`, "PX", testLeaseMs);
    let seq = 0;
    const emit = async (body: WorkerEventBody) => {
      const { jobId, attempt, stageIndex } = task;
      const event: WorkerEvent = {
        contract: contractVersion,
        jobId,
        attempt,
        stageIndex,
        slice: task.slice.index,
        seq: ++seq,
        at: new Date().toISOString(),
        body,
      };
      this.outbox.push(event);
      if (!this.#isDead) await this.send(event).catch(ignoreRefused);
    };
    const stopped = new Promise<void>((resolve) => this.#watched.set(task, resolve));
    const pids = Array.from({ length: countMembers(task.slice) }, (_, i) => 1000 + i);
    await emit({ type: "stageStarted", workerId: this.id, host: `host-of-${this.id}`, pids });
    await this.#options.script({ task, emit, stopped, ...sayings(task, emit) });
    this.#leases.delete(lease);
    this.#watched.delete(task);
  }
}

function sayings(task: StageTask, emit: ScriptedStage["emit"]) {
  return {
    log: (message: string) => emit({ type: "step", event: { type: "log", level: "info", member: leadRank, message } }),
    metric: (name: string, step: number, value: number) =>
      emit({ type: "step", event: { type: "metrics", axis: "epoch", step, values: { [name]: value } } }),
    checkpoint: (epoch: number) =>
      emit({
        type: "checkpointSaved",
        artifact: {
          ...artifactOf(task, "checkpoint"),
          id: `${task.output.id}-checkpoint-${epoch}-${epoch * 10}`,
          prefix: checkpointPrefix(task.output.prefix, epoch, epoch * 10),
          reuseKey: null,
        },
        epoch,
        step: epoch * 10,
        metrics: {},
      }),
    succeed: () =>
      task.slice.index > 0
        ? emit({ type: "sliceFinished" })
        : emit({ type: "stageSucceeded", artifact: artifactOf(task, task.output.kind) }),
  };
}

function artifactOf(task: StageTask, kind: string): MadeArtifact {
  const { id, prefix, reuseKey } = task.output;
  return { id, kind, prefix, reuseKey, digest: task.output.reuseKey, bytes: 12, info: { made: kind }, blobs: [] };
}

/** Every stage succeeds at once. */
export const succeedAtOnce: Script = (stage) => stage.succeed();

/** The connection may end (die, kill) under any command; what must arrive is sent again from the outbox. */
const ignore = () => {};

/** A resend was quicker. */
const ignoreRefused = (error: unknown) => {
  if (!String(error).includes("equal or smaller")) throw error;
};
