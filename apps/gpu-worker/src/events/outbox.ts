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
import { SliceStream } from "./slice-stream.ts";
import { type OutboxLimits, StageOutbox } from "./stage-outbox.ts";

export interface OutboxOptions {
  readonly dir: string;
  readonly workerId: string;
  /** Made with `failFast`: sending is tried again here, in order. */
  readonly redis: Redis;
  readonly log: Logger;
  readonly host: string;
  readonly limits: OutboxLimits;
}

const ending = ".ndjson";
const periodMs = 1000;
/** While more waits than a stream may hold, acknowledgements are looked for so often. */
const busyPeriodMs = 100;
/** Without an acknowledgement for so many rounds, the stream is asked whether it still has what was sent. */
const checkAfterRounds = 3;
/** Leftovers nobody acknowledged for so long belong to deleted jobs. */
const overAfterMs = 600_000;
const forgetMs = 7 * 24 * 3600 * 1000;

/**
 * Sends every event of this worker's stages into their streams, in order per stage and each once, and keeps it until
 * the API acknowledges it in `hw:acked`. Only what a stream has lost is sent again (`SliceStream`).
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #streams = new Map<string, SliceStream>();
  readonly #quietRounds = new Map<string, number>();
  #flushing: Promise<void> | null = null;
  #flushAgain = false;
  #trimming: NodeJS.Timeout | null = null;
  #stop: (() => Promise<void>) | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true });
  }

  /** Loads what an earlier life left, ends its stages as lost, and begins to send. */
  start(): void {
    this.#recover();
    this.#options.redis.on("ready", () => {
      for (const stream of this.#streams.values()) stream.doubt();
      this.#flush();
    });
    this.#stop = periodically(periodMs, () => this.#tick(), this.#onError);
  }

  /** Subscribes to resend requests on a connection in subscriber mode. */
  async listen(subscriber: Redis): Promise<void> {
    subscriber.on("message", (channel, name) => {
      if (channel !== redisChannels.resend) return;
      for (const stream of name === "" ? this.#streams.values() : [this.#streams.get(name)]) stream?.doubt();
      this.#flush();
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
    const known = this.#streams.get(name);
    if (known) return !known.box.isFinished;
    const { redis, workerId, limits } = this.#options;
    await redis.del(redisKeys.events(workerId, key)); // of an earlier life whose outbox is gone
    const acked = Number((await redis.hget(redisKeys.acked, name)) ?? 0);
    this.#follow(StageOutbox.create(this.#path(name), key, limits, acked));
    return true;
  }

  append(key: StageKey, body: WorkerEventBody): void {
    this.#streams.get(keyName(key))?.box.append(body);
    this.#flush();
  }

  /**
   * The stage has ended as it was told to: when more waits than its stream can take now, its end goes out alone, so
   * that nobody waits for it.
   */
  hurryEnd(key: StageKey): void {
    const stream = this.#streams.get(keyName(key));
    if (!stream?.isBehind) return;
    stream.box.keepEndAlone();
    this.#flush();
  }

  /** Looks at once whether the API has everything of this stage. */
  remind(key: StageKey): void {
    this.#streams.get(keyName(key))?.doubt();
    this.#flush();
  }

  /** Forgets a stage whose attempt has been overtaken: the API ignores its events. */
  drop(key: StageKey): void {
    const name = keyName(key);
    const stream = this.#streams.get(name);
    if (!stream) return;
    stream.box.remove();
    this.#streams.delete(name);
    this.#quietRounds.delete(name);
    stream.remove().catch(this.#onError); // else the API clears it away
  }

  /** Stages with events that the API has not acknowledged. */
  get unacknowledged(): number {
    return [...this.#streams.values()].filter(({ box }) => !box.isEmpty).length;
  }

  /** Sends what can be sent, then stops; the rest stays on disk. */
  async close(): Promise<void> {
    await this.#stop?.();
    if (this.#trimming) clearTimeout(this.#trimming);
    this.#flush();
    await this.#flushing;
    for (const { box } of this.#streams.values()) box.close();
    this.#streams.clear();
  }

  readonly #onError = (err: unknown) => this.#options.log.debug({ err }, "events wait for Redis");

  #path(name: string): string {
    return join(this.#options.dir, name + ending);
  }

  #follow(box: StageOutbox): void {
    const { redis, workerId } = this.#options;
    this.#streams.set(keyName(box.key), new SliceStream({ redis, workerId, box }));
  }

  #recover(): void {
    for (const file of readdirSync(this.#options.dir).filter((name) => name.endsWith(ending))) {
      const name = file.slice(0, -ending.length);
      const key = parseKeyName(name);
      if (key === null || Date.now() - statSync(this.#path(name)).mtimeMs > forgetMs) {
        rmSync(join(this.#options.dir, file), { force: true });
        continue;
      }
      const box = StageOutbox.recover(this.#path(name), key, this.#options.limits);
      if (!box.isFinished) {
        const { host } = this.#options;
        const detail = `The worker on ${host} was restarted while it ran this stage; the job goes on from its last checkpoint.`;
        box.append({ type: "incident", code: "WORKER_LOST", message: detail, member: null, host });
        box.append({ type: "stageFailed", problem: problemOf("WORKER_LOST", detail) });
      }
      this.#follow(box);
      this.#options.log.info({ ...key }, "events of an earlier run wait to be acknowledged");
    }
  }

  async #tick(): Promise<void> {
    await this.#trim();
    await this.#dropOvertaken();
    for (const [name, rounds] of this.#quietRounds) {
      if (rounds >= checkAfterRounds) await this.#streams.get(name)?.check();
    }
    this.#flush();
  }

  async #trim(): Promise<void> {
    const names = [...this.#streams.keys()];
    if (names.length === 0) return;
    const acked = await this.#options.redis.hmget(redisKeys.acked, ...names);
    for (const [i, name] of names.entries()) {
      const stream = this.#streams.get(name);
      if (!stream) continue;
      const { box } = stream;
      const wasFinished = box.isFinished;
      const hasAdvanced = box.trim(Number(acked[i] ?? 0));
      this.#quietRounds.set(name, hasAdvanced || !stream.isAwaited ? 0 : (this.#quietRounds.get(name) ?? 0) + 1);
      if (wasFinished && box.isEmpty) this.drop(box.key);
    }
  }

  /**
   * Finished stages that nobody will acknowledge (of overtaken attempts, of stages and jobs long over) are dropped; of
   * those told to stop, only the end is kept when more waits.
   */
  async #dropOvertaken(): Promise<void> {
    const finished = [...this.#streams.values()].filter(({ box }) => box.isFinished);
    if (finished.length === 0) return;
    const states = await this.#options.redis.hmget(redisKeys.desired, ...finished.map(({ box }) => box.key.jobId));
    for (const [i, { box }] of finished.entries()) {
      const state = JSON.parse(states[i] ?? "null") as DesiredState | null;
      const isOver = state === null && performance.now() - box.lastAppend > overAfterMs;
      const { attempt, stageIndex } = box.key;
      const isNow = state?.attempt === attempt;
      const isPast = state !== null && (state.attempt > attempt || (isNow && (state.stage ?? 0) > stageIndex));
      if (isOver || isPast) this.drop(box.key);
      else if (state?.state === "cancel") this.hurryEnd(box.key);
    }
  }

  #flush(): void {
    if (this.#flushing) {
      this.#flushAgain = true;
      return;
    }
    this.#flushing = this.#send()
      .catch(this.#onError)
      .finally(() => {
        this.#flushing = null;
        if (!this.#flushAgain) return;
        this.#flushAgain = false;
        this.#flush();
      });
  }

  /** In turns, so that no stage's backlog holds up another's events. */
  async #send(): Promise<void> {
    for (let sending = [...this.#streams.values()]; sending.length > 0; ) {
      const next: SliceStream[] = [];
      for (const stream of sending) if (await stream.send()) next.push(stream);
      sending = next;
    }
    if ([...this.#streams.values()].some((stream) => stream.isBehind)) this.#trimSoon();
  }

  /** The next events go out as soon as the API has taken some of what fills the stream. */
  #trimSoon(): void {
    this.#trimming ??= setTimeout(() => {
      this.#trimming = null;
      this.#trim().then(() => this.#flush(), this.#onError);
    }, busyPeriodMs);
  }
}
