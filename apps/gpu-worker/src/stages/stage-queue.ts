import {
  contractVersion,
  keyName,
  keyOfTask,
  problemOf,
  redisKeys,
  type StageKey,
  type StageTask,
  stageTask,
} from "@hopwise/contracts";
import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Logger } from "../log.ts";
import { connectRedis } from "../redis.ts";
import { StageRun } from "./stage-run.ts";
import type { StageServices } from "./stage-services.ts";

export interface StageQueueOptions {
  readonly services: StageServices;
  readonly redisUrl: string;
}

/** Far above any pause of this process: a lost lock must stay an accident. */
const lockDuration = 60_000;
const safeId = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Takes stages from this worker's own queue. BullMQ only delivers: what became of a stage is told by events, so a
 * lock lost with an emptied Redis changes nothing, and a task delivered twice is recognised here.
 */
export class StageQueue {
  readonly #services: StageServices;
  readonly #log: Logger;
  readonly #runs = new Map<string, StageRun>();
  readonly #connection: Redis;
  readonly #worker: Worker<unknown, void>;
  #isDraining = false;

  constructor({ services, redisUrl }: StageQueueOptions) {
    this.#services = services;
    this.#log = services.log;
    this.#connection = connectRedis(redisUrl, { maxRetriesPerRequest: null });
    this.#worker = new Worker(redisKeys.workerQueue(services.workerId), (job) => this.#take(job), {
      connection: this.#connection,
      concurrency: services.env.worker.slots,
      lockDuration,
      maxStalledCount: 0,
      removeOnComplete: { count: 1000 },
      removeOnFail: { count: 1000 },
    });
    this.#worker.on("error", (err) => {
      services.access.note(err);
      this.#log.debug({ err }, "queue");
    });
    this.#worker.on("failed", (job, err) => this.#log.warn({ err, job: job?.id }, "queue lost sight of a task"));
  }

  get running(): readonly StageKey[] {
    return [...this.#runs.values()].map((run) => run.key);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on `isDraining` is announced: this worker gets nothing more. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Takes nothing more, and hands back what runs: its jobs go on elsewhere. */
  async close(): Promise<void> {
    this.drain();
    for (const run of this.#runs.values()) run.stop("shutdown");
    await this.#worker.close();
    this.#connection.disconnect();
  }

  async #take(job: Job<unknown, void>): Promise<void> {
    const task = this.#accept(job);
    if (task === null) return;
    const key = keyOfTask(task);
    const name = keyName(key);
    if (this.#runs.has(name)) {
      this.#log.warn({ ...key }, "this stage runs here already");
      return;
    }
    const run = new StageRun(task, this.#services);
    this.#runs.set(name, run);
    try {
      if (await this.#mayBegin(key)) await run.run();
    } finally {
      this.#runs.delete(name);
    }
  }

  async #mayBegin(key: StageKey): Promise<boolean> {
    const { desired, outbox } = this.#services;
    if ((await desired.stopReason(key)) === "overtaken") {
      this.#log.info({ ...key }, "task of an overtaken attempt");
      return false;
    }
    if (await outbox.open(key)) return true;
    this.#log.info({ ...key }, "this stage has ended here already; telling so again");
    outbox.remind(key);
    return false;
  }

  /** The task, or null when it is refused; a refusal that has a job is told to it. */
  #accept(job: Job<unknown, void>): StageTask | null {
    const parsed = stageTask.safeParse(job.data);
    if (parsed.success && parsed.data.contract === contractVersion && safeId.test(parsed.data.jobId))
      return parsed.data;
    const found = (job.data as { contract?: unknown } | null)?.contract;
    this.#log.error({ job: job.id, contract: found, issues: parsed.error?.issues }, "task refused");
    void this.#refuse(job.data, found).catch((err: unknown) => this.#log.error({ err }, "refusal cannot be told"));
    return null;
  }

  async #refuse(data: unknown, contract: unknown): Promise<void> {
    const { jobId, attempt, stageIndex, slice } = (data ?? {}) as Partial<StageTask>;
    if (typeof jobId !== "string" || !safeId.test(jobId)) return;
    if (typeof attempt !== "number" || typeof stageIndex !== "number") return;
    const key = { jobId, attempt, stageIndex, slice: slice?.index ?? 0 };
    if (!(await this.#services.outbox.open(key))) return;
    const detail =
      contract === contractVersion
        ? "The worker cannot read this task; its log says why."
        : `The task speaks contract ${String(contract)}, this worker ${contractVersion}; run the same release of both.`;
    this.#services.outbox.append(key, { type: "stageFailed", problem: problemOf("WORKER_INCOMPATIBLE", detail) });
  }
}
