import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  contractVersion,
  keyOfTask,
  leaseMs,
  type MadeArtifact,
  redisKeys,
  type StageKey,
  type StageTask,
  stageTask,
  type WorkerAnnouncement,
  type WorkerEventBody,
  workerDevice,
} from "@hopwise/contracts";
import { Worker } from "bullmq";
import pino from "pino";
import { componentsOf, fixtureRegistry } from "../../apps/api/test/scheduler/support/fixture-registry.ts";
import { Outbox } from "../../apps/gpu-worker/src/events/outbox.ts";
import { connectRedis, failFast } from "../../apps/gpu-worker/src/redis.ts";
import { DesiredStates } from "../../apps/gpu-worker/src/stages/desired-state.ts";
import { holdLease } from "../../apps/gpu-worker/src/stages/lease.ts";

/** What becomes of a job's stages: done at once; or the one that trains is held until it is cancelled. */
export type Role = "quick" | "held";

const id = "w1";
const host = "bench";

/** A worker with the real outbox, leases and cancellation, whose stages do nothing. */
export class EventWorker {
  readonly outbox: Outbox;
  /** Seconds from a stage's last event to the task of the stage behind it, of quick jobs. */
  turnarounds: number[] = [];
  readonly #redis;
  readonly #queueConnection;
  readonly #subscriber;
  readonly #desired: DesiredStates;
  readonly #queue: Worker;
  readonly #timer: NodeJS.Timeout;
  readonly #bootId = randomUUID();
  readonly #log = pino({ level: process.env["BENCH_LOG_LEVEL"] ?? "silent" });
  readonly #roles = new Map<string, PromiseWithResolvers>();
  readonly #endedAt = new Map<string, number>();
  readonly #held = new Map<string, PromiseWithResolvers>();

  constructor(redisUrl: string, dir: string, maxEvents: number) {
    this.#redis = connectRedis(redisUrl, failFast);
    this.#queueConnection = connectRedis(redisUrl, { maxRetriesPerRequest: null });
    this.#subscriber = connectRedis(redisUrl, { maxRetriesPerRequest: null });
    const limits = { soft: maxEvents, hard: maxEvents, maxBytes: 2 ** 30 };
    const parts = { redis: this.#redis, log: this.#log };
    this.outbox = new Outbox({ dir: join(dir, "outbox"), workerId: id, host, limits, ...parts });
    this.#desired = new DesiredStates(this.#redis, this.#log);
    this.#queue = new Worker(redisKeys.workerQueue(id), (job) => this.#run(stageTask.parse(job.data)), {
      connection: this.#queueConnection,
      concurrency: 64,
      maxStalledCount: 0,
    });
    this.#queue.on("error", () => {});
    this.#timer = setInterval(() => void this.#announce().catch(() => {}), 1000);
  }

  async start(): Promise<void> {
    this.outbox.start();
    await this.outbox.listen(this.#subscriber);
    await this.#desired.listen(this.#subscriber);
    await this.#announce();
  }

  /** What the worker is to do with a job's tasks, which wait for this. */
  play(jobId: string, role: Role): void {
    this.#of(this.#roles, jobId).resolve(role);
  }

  /** The slice of a held job that trains, once it does. */
  async training(jobId: string): Promise<StageKey> {
    return (await this.#of(this.#held, jobId).promise) as StageKey;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#queue.close(true);
    await this.outbox.close();
    await this.#desired.close();
    for (const connection of [this.#redis, this.#queueConnection, this.#subscriber]) connection.disconnect();
  }

  #of(map: Map<string, PromiseWithResolvers>, jobId: string): PromiseWithResolvers {
    const known = map.get(jobId) ?? withResolvers();
    map.set(jobId, known);
    return known;
  }

  async #run(task: StageTask): Promise<void> {
    const key = keyOfTask(task);
    const tell = (body: WorkerEventBody) => this.outbox.append(key, body);
    const role = (await this.#of(this.#roles, task.jobId).promise) as Role;
    const endedAt = this.#endedAt.get(task.jobId);
    if (role === "quick" && endedAt !== undefined) this.turnarounds.push((performance.now() - endedAt) / 1000);
    if (!(await this.outbox.open(key))) return;
    const lease = holdLease(this.#redis, key, { workerId: id, bootId: this.#bootId }, this.#log, () => {});
    tell({ type: "stageStarted", workerId: id, host, pids: [process.pid] });
    if (role === "held" && task.step === "train") {
      const stopped = new Promise((resolve) => {
        this.#desired.watch(key, { onStop: resolve, onEndTraining: () => {} });
      });
      this.#of(this.#held, task.jobId).resolve(key);
      await stopped;
      tell({ type: "stageCancelled" });
      this.outbox.hurryEnd(key);
    } else {
      tell({ type: "stageSucceeded", artifact: artifactOf(task) });
      this.#endedAt.set(task.jobId, performance.now());
    }
    await lease.stop();
  }

  async #announce(): Promise<void> {
    const announcement: WorkerAnnouncement = {
      contract: contractVersion,
      id,
      bootId: this.#bootId,
      host,
      version: "0",
      build: "bench",
      pid: process.pid,
      devices: [workerDevice.parse({ kind: "cpu", index: 0, name: "bench", memoryBytes: 1e9 })],
      slots: 64,
      cores: 4,
      memoryBytes: 1e9,
      diskFreeBytes: 1e9,
      isa: "avx2",
      labels: {},
      components: componentsOf(fixtureRegistry()),
      rankAddress: null,
      draining: false,
      running: [],
    };
    await this.#redis.set(redisKeys.worker(id), JSON.stringify(announcement), "PX", leaseMs);
  }

  /** Entries that were ever put into a slice's stream. */
  async entriesSent(key: StageKey): Promise<number> {
    const info = (await this.#redis.xinfo("STREAM", redisKeys.events(id, key))) as unknown[] | Record<string, unknown>;
    return Number(Array.isArray(info) ? info[info.indexOf("entries-added") + 1] : info["entries-added"]);
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<unknown>;
  resolve(value: unknown): void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function artifactOf({ output }: StageTask): MadeArtifact {
  const { id: artifactId, kind, prefix, reuseKey } = output;
  return { id: artifactId, kind, prefix, reuseKey, digest: reuseKey, bytes: 12, info: { made: kind }, blobs: [] };
}
