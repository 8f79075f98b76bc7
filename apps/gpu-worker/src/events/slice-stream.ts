import { keyName, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { StageOutbox, WaitingEvent } from "./stage-outbox.ts";

/** Events that may lie in one slice's stream, sent and not acknowledged: what bounds the memory of Redis. */
export const streamWindow = 16_384;

const batch = 256;
/** One round trip carries about so much at most. */
const batchBytes = 1 << 20;
const firstWaitMs = 1000;
const longestWaitMs = 60_000;

export interface SliceStreamOptions {
  /** Made with `failFast`. */
  readonly redis: Redis;
  readonly workerId: string;
  readonly box: StageOutbox;
}

/**
 * Moves the events of one outbox into the slice's own stream, each once: its entry's id is its number, so Redis knows
 * what it has and refuses it a second time. After anything that may have lost entries (a broken connection, a stream
 * that is gone, a request of the API), the stream itself is asked for its last number, and sending goes on behind that.
 */
export class SliceStream {
  readonly box: StageOutbox;
  readonly #redis: Redis;
  readonly #name: string;
  /** Everything up to this number went into the stream; null: to be looked up. */
  #sent: number | null = null;
  /** The stream exists, as far as is known. */
  #exists = false;
  /** The highest number ever sent: what comes up to it is sent again. */
  #reached = 0;
  /** Times in a row that sent events were lost before any of them was acknowledged. */
  #losses = 0;
  #trimmedAtLoss = 0;
  #notBefore = 0;
  #isRemoved = false;

  constructor({ redis, workerId, box }: SliceStreamOptions) {
    this.#redis = redis;
    this.box = box;
    this.#name = redisKeys.events(workerId, box.key);
  }

  /** Whether anything that was sent has not been acknowledged. */
  get isAwaited(): boolean {
    return this.#sent !== null && this.#sent > this.box.trimmed;
  }

  /** Whether events wait for room in the stream. */
  get isBehind(): boolean {
    return this.box.lastSeq > Math.max(this.#sent ?? 0, this.box.trimmed) + this.#room;
  }

  get #room(): number {
    return Math.max(0, this.box.trimmed + streamWindow - Math.max(this.#sent ?? 0, this.box.trimmed));
  }

  /** The stream may hold less than was sent: it is asked before the next event goes out. */
  doubt(): void {
    this.#sent = null;
  }

  /** Sends the next events as far as the window allows. @returns whether there are more to be sent now */
  async send(): Promise<boolean> {
    if (this.#isRemoved || performance.now() < this.#notBefore) return false;
    if (this.#sent === null && !(await this.#lookUp())) return false;
    const events = this.#next();
    if (events.length === 0) return false;
    try {
      await this.#add(events);
    } catch (error) {
      this.doubt(); // how many of them arrived, the stream knows
      throw error;
    }
    return true;
  }

  /** Doubts when the stream has lost what was sent: to be asked when acknowledgements stay away. */
  async check(): Promise<void> {
    if (!this.isAwaited) return;
    const sent = this.#sent ?? 0;
    const last = await this.#lastInStream();
    if (last === null || last < sent) this.doubt();
  }

  /** The slice's stream is not needed any more. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.#redis.del(this.#name);
  }

  /** Takes away what an earlier life left of whose outbox nothing is left. */
  async clear(): Promise<void> {
    await this.#redis.del(this.#name);
  }

  #next(): readonly WaitingEvent[] {
    const sent = Math.max(this.#sent ?? 0, this.box.trimmed);
    const events = this.box.after(sent, Math.min(batch, this.#room));
    let bytes = 0;
    const end = events.findIndex(({ json }, i) => {
      bytes += json.length;
      return i > 0 && bytes > batchBytes;
    });
    return end < 0 ? events : events.slice(0, end);
  }

  /** A stream that was there and is gone is not begun anew in the middle: what was in it may be lost. */
  async #add(events: readonly WaitingEvent[]): Promise<void> {
    const pipeline = this.#redis.pipeline();
    for (const [i, { seq, type, json }] of events.entries()) {
      const condition = this.#exists || i > 0 ? ["NOMKSTREAM"] : [];
      pipeline.xadd(this.#name, ...condition, `${seq}-0`, "type", type, "event", json);
    }
    const replies = (await pipeline.exec()) ?? [];
    for (const [error] of replies) if (error && !isRefusedId(error)) throw error;
    this.#exists = true;
    const last = events.at(-1)?.seq ?? 0;
    this.#reached = Math.max(this.#reached, last);
    this.#sent = replies.every(([error, id]) => !error && id !== null) ? last : null;
  }

  /**
   * Learns what the API has and what the stream has. @returns whether to send now: what was lost again and again waits
   */
  async #lookUp(): Promise<boolean> {
    this.box.trim(Number((await this.#redis.hget(redisKeys.acked, keyName(this.box.key))) ?? 0));
    const { trimmed, lastSeq } = this.box;
    let last = await this.#lastInStream();
    if (last !== null && last > lastSeq) {
      await this.clear();
      last = null;
    }
    this.#exists = last !== null;
    this.#sent = Math.max(last ?? 0, trimmed);
    return this.#sent >= this.#reached || this.#mayRepeat();
  }

  /** The first loss is made good at once, the next of the same events after 1 s, 2 s, … 60 s. */
  #mayRepeat(): boolean {
    if (this.box.trimmed > this.#trimmedAtLoss) this.#losses = 0;
    this.#trimmedAtLoss = this.box.trimmed;
    const wait = this.#losses === 0 ? 0 : Math.min(firstWaitMs * 2 ** (this.#losses - 1), longestWaitMs);
    this.#losses++;
    this.#reached = this.#sent ?? 0;
    this.#notBefore = performance.now() + wait;
    return wait === 0;
  }

  /** The number of the last entry that the stream ever had; null when there is no stream. */
  async #lastInStream(): Promise<number | null> {
    try {
      const info = (await this.#redis.xinfo("STREAM", this.#name)) as unknown[] | Record<string, unknown>;
      // A flat list or a map, as the protocol's version has it.
      const id = Array.isArray(info) ? info[info.indexOf("last-generated-id") + 1] : info["last-generated-id"];
      return Number.parseInt(String(id), 10);
    } catch (error) {
      if (error instanceof Error && error.message.includes("no such key")) return null;
      throw error;
    }
  }
}

/** Redis has this number or a higher one already. */
function isRefusedId(error: Error): boolean {
  return error.message.includes("equal or smaller");
}
