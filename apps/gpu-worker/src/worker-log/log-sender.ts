import { limits, redisKeys, workerLogMs } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { periodically } from "../periodic.ts";
import { connected } from "../redis.ts";
import type { LogTail, Segment } from "./log-tail.ts";

export interface LogSenderOptions {
  readonly redis: Redis;
  readonly workerId: string;
  readonly tail: LogTail;
  readonly everyMs?: number;
}

/** What lies in Redis of a half, as far as this process knows. */
interface Sent {
  readonly lines: readonly string[];
  numLines: number;
  bytes: number;
}

/**
 * Keeps the worker's log in Redis as the tail has it, for who looks at it from the dashboard. Lines are added to what
 * lies there; where its length is not what it should be (Redis was emptied, an answer was lost), all of it is written
 * again. Nothing is said of what fails: that would be one more line to send.
 */
export class LogSender {
  readonly #options: LogSenderOptions;
  readonly #sent = new Map<0 | 1, Sent>();
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(options: LogSenderOptions) {
    this.#options = options;
  }

  /** Begins behind what an earlier life of the worker left there. */
  async start(): Promise<void> {
    await this.#readEarlier().catch(() => {});
    this.#stop = periodically(
      this.#options.everyMs ?? 1000,
      () => this.flush(),
      () => {},
    );
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.flush().catch(() => {});
  }

  /** For who does not go on. @throws whatever Redis answers */
  async sendOnce(): Promise<void> {
    await this.#readEarlier();
    await this.flush();
  }

  /** @throws whatever Redis answers */
  async flush(): Promise<void> {
    for (const segment of this.#options.tail.segments) await this.#send(segment);
  }

  async #readEarlier(): Promise<void> {
    const { redis, workerId, tail } = this.#options;
    const texts = await redis.mget(redisKeys.workerLog(workerId, 0), redisKeys.workerLog(workerId, 1));
    const segments = texts.flatMap((text, number): Segment[] => {
      const bytes = Buffer.byteLength(text ?? "");
      if (text === null || bytes > limits.workerLogBytes || !text.endsWith("\n")) return [];
      const lines = text.slice(0, -1).split("\n");
      return [{ number: number as 0 | 1, lines: lines.map((line) => `${line}\n`), bytes }];
    });
    tail.follow(segments);
    for (const { number, lines, bytes } of tail.segments) {
      if (segments.some((segment) => segment.number === number && segment.bytes === bytes))
        this.#sent.set(number, { lines, numLines: lines.length, bytes });
    }
  }

  async #send({ number, lines, bytes }: Segment): Promise<void> {
    const { redis, workerId } = this.#options;
    const key = redisKeys.workerLog(workerId, number);
    const before = this.#sent.get(number);
    const isSame = before?.lines === lines;
    if (isSame && before.numLines === lines.length) return;
    const numLines = lines.length;
    if (isSame) {
      // Forgotten until Redis has answered: without an answer nobody knows what lies there.
      this.#sent.delete(number);
      const length = await redis.append(key, lines.slice(before.numLines).join(""));
      if (length === bytes) {
        await redis.pexpire(key, workerLogMs);
        this.#sent.set(number, { lines, numLines, bytes });
        return;
      }
    }
    await redis.set(key, lines.join(""), "PX", workerLogMs);
    this.#sent.set(number, { lines, numLines, bytes });
  }
}

/** Sends what a worker that ends before it has begun says last: for `patienceMs` at most, if Redis is there. */
export async function sendLastWords(options: LogSenderOptions, patienceMs = 3000): Promise<void> {
  const sender = new LogSender(options);
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());
  await Promise.race([connected(options.redis).then(() => sender.sendOnce()), isOver]).catch(() => {});
}
