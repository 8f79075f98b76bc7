import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type DesiredState,
  keyName,
  parseKeyName,
  problemOf,
  redisChannels,
  redisKeys,
  type StageKey,
  type WorkerEventBody,
} from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "../log.ts";
import { periodically } from "../periodic.ts";
import { type OutboxLimits, StageOutbox } from "./stage-outbox.ts";

export interface OutboxOptions {
  readonly dir: string;
  /** Made with `failFast`: sending is tried again here, in order. */
  readonly redis: Redis;
  readonly log: Logger;
  readonly host: string;
  readonly limits?: OutboxLimits;
}

const ending = ".ndjson";
const batch = 256;
const periodMs = 1000;
/** Without any acknowledgement for so long, everything unacknowledged goes out again. */
const silenceMs = 15_000;
/** The stream is a pipe, not a store: what is cut off here is still in the outbox until acknowledged. */
const maxStreamLength = 200_000;
/** Leftovers nobody acknowledged for so long belong to deleted jobs. */
const overAfterMs = 600_000;
const forgetMs = 7 * 24 * 3600 * 1000;

/**
 * Sends every event of this worker's stages to `hw:events`, in order per stage, until the API acknowledges it in
 * `hw:acked`. After a reconnect, a new `hw:generation`, a `hw:wake:resend` or long silence all unacknowledged events
 * go out again; the API drops repeats by (job, attempt, stage, seq).
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #limits: OutboxLimits;
  readonly #boxes = new Map<string, StageOutbox>();
  #flushing: Promise<void> | null = null;
  #flushAgain = false;
  #generation: string | null = null;
  #lastAdvance = Date.now();
  #stop: (() => Promise<void>) | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#limits = options.limits ?? { soft: 20_000, hard: 100_000 };
    mkdirSync(options.dir, { recursive: true });
  }

  /** Loads what an earlier life left, ends its stages as lost, and begins to send. */
  start(): void {
    this.#recover();
    const onError = (err: unknown) => this.#options.log.debug({ err }, "outbox waits for Redis");
    this.#options.redis.on("ready", () => {
      this.resend();
      this.#checkGeneration().catch(onError);
    });
    this.#stop = periodically(periodMs, () => this.#tick(), onError);
  }

  /** Subscribes to resend requests on a connection in subscriber mode. */
  async listen(subscriber: Redis): Promise<void> {
    subscriber.on("message", (channel) => {
      if (channel === redisChannels.resend) this.resend();
    });
    await subscriber.subscribe(redisChannels.resend);
  }

  /**
   * Readies the stage's outbox. Numbers go on where an earlier life or the API's acknowledgements ended.
   *
   * @returns false when this stage's last event is already waiting here: it must not run again
   */
  async open(key: StageKey): Promise<boolean> {
    const name = keyName(key);
    const known = this.#boxes.get(name);
    if (known) return !known.isFinished;
    const acked = Number((await this.#options.redis.hget(redisKeys.acked, name)) ?? 0);
    this.#boxes.set(name, StageOutbox.create(this.#path(name), key, this.#limits, acked));
    return true;
  }

  append(key: StageKey, body: WorkerEventBody): void {
    this.#boxes.get(keyName(key))?.append(body);
    this.#flush();
  }

  /** Forgets a stage whose attempt has been overtaken: the API ignores its events. */
  drop(key: StageKey): void {
    this.#boxes.get(keyName(key))?.remove();
    this.#boxes.delete(keyName(key));
  }

  resend(): void {
    for (const box of this.#boxes.values()) box.rewind();
    this.#flush();
  }

  /** Stages with events that the API has not acknowledged. */
  get unacknowledged(): number {
    return [...this.#boxes.values()].filter((box) => !box.isEmpty).length;
  }

  /** Sends what can be sent, then stops; the rest stays on disk. */
  async close(): Promise<void> {
    await this.#stop?.();
    this.#flush();
    await this.#flushing;
    for (const box of this.#boxes.values()) box.close();
    this.#boxes.clear();
  }

  #path(name: string): string {
    return join(this.#options.dir, name + ending);
  }

  #recover(): void {
    for (const file of readdirSync(this.#options.dir).filter((name) => name.endsWith(ending))) {
      const name = file.slice(0, -ending.length);
      const key = parseKeyName(name);
      if (key === null || Date.now() - statSync(this.#path(name)).mtimeMs > forgetMs) {
        rmSync(join(this.#options.dir, file), { force: true });
        continue;
      }
      const box = StageOutbox.recover(this.#path(name), key, this.#limits);
      if (!box.isFinished) {
        const { host } = this.#options;
        const detail = `The worker on ${host} was restarted while it ran this stage; the job goes on from its last checkpoint.`;
        box.append({ type: "incident", code: "WORKER_LOST", message: detail, rank: null, host });
        box.append({ type: "stageFailed", problem: problemOf("WORKER_LOST", detail) });
      }
      this.#boxes.set(name, box);
      this.#options.log.info({ ...key }, "events of an earlier run will be sent again");
    }
  }

  async #tick(): Promise<void> {
    await this.#checkGeneration();
    await this.#trim();
    await this.#dropOvertaken();
    if (Date.now() - this.#lastAdvance > silenceMs && this.unacknowledged > 0) {
      this.#lastAdvance = Date.now();
      this.resend();
    }
    this.#flush();
  }

  async #checkGeneration(): Promise<void> {
    const { redis, log } = this.#options;
    const generation = await redis.get(redisKeys.generation); // null until the API has seen to it
    if (this.#generation !== null && generation !== this.#generation) {
      log.warn("Redis was emptied; sending unacknowledged events again");
      this.resend();
    }
    this.#generation = generation;
  }

  async #trim(): Promise<void> {
    const names = [...this.#boxes.keys()];
    if (names.length === 0) return;
    const acked = await this.#options.redis.hmget(redisKeys.acked, ...names);
    for (const [i, name] of names.entries()) {
      const box = this.#boxes.get(name);
      const wasFinished = box?.isFinished ?? false;
      if (!box?.trim(Number(acked[i] ?? 0))) continue;
      this.#lastAdvance = Date.now();
      if (wasFinished && box.isEmpty) this.drop(box.key);
    }
  }

  /** Finished stages of overtaken attempts, and of jobs long over: nobody will acknowledge them. */
  async #dropOvertaken(): Promise<void> {
    const finished = [...this.#boxes.values()].filter((box) => box.isFinished);
    if (finished.length === 0) return;
    const states = await this.#options.redis.hmget(redisKeys.desired, ...finished.map((box) => box.key.jobId));
    for (const [i, box] of finished.entries()) {
      const state = JSON.parse(states[i] ?? "null") as DesiredState | null;
      const isOver = state === null && Date.now() - box.lastAppend > overAfterMs;
      if (isOver || (state !== null && state.attempt > box.key.attempt)) this.drop(box.key);
    }
  }

  #flush(): void {
    if (this.#flushing) {
      this.#flushAgain = true;
      return;
    }
    this.#flushing = this.#send()
      .catch((err: unknown) => this.#options.log.debug({ err }, "events wait for Redis"))
      .finally(() => {
        this.#flushing = null;
        if (!this.#flushAgain) return;
        this.#flushAgain = false;
        this.#flush();
      });
  }

  async #send(): Promise<void> {
    for (const box of this.#boxes.values()) {
      for (let events = box.unsent(batch); events.length > 0; events = box.unsent(batch)) {
        const pipeline = this.#options.redis.pipeline();
        for (const event of events) {
          pipeline.xadd(redisKeys.events, "MAXLEN", "~", maxStreamLength, "*", "event", JSON.stringify(event));
        }
        for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
        box.markSent(events);
      }
    }
  }
}
