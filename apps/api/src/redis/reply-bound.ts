import type { Redis } from "ioredis";

/** A reply was longer than allowed; its connection has been given up, so that the rest of it is not received. */
export class ReplyTooLong extends Error {
  constructor(bytes: number) {
    super(`Redis sent more than ${bytes} bytes at once; the connection was closed and is made anew.`);
  }
}

/**
 * Bounds what one command may bring over a connection that has one command under way at a time. Whoever may write to
 * Redis decides how long a reply is: it is counted as it comes in, before anything is made of it.
 */
export class ReplyBound {
  readonly #redis: Redis;
  readonly #bytes: number;
  #isCounting = false;
  #received = 0;
  #isCut = false;

  constructor(redis: Redis, bytes: number) {
    this.#redis = redis;
    this.#bytes = bytes;
    const listen = () => redis.stream.prependListener("data", (chunk: Buffer) => this.#count(chunk.length));
    redis.on("connect", listen);
    if (redis.status === "connect" || redis.status === "ready") listen();
  }

  /** What the command answers. @throws ReplyTooLong */
  async within<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    this.#isCounting = true;
    this.#received = 0;
    this.#isCut = false;
    try {
      return await command();
    } catch (error) {
      if (!this.#isCut) throw error;
      this.#redis.connect().catch(() => {}); // it tries for ever, and commands wait meanwhile
      throw new ReplyTooLong(this.#bytes);
    } finally {
      this.#isCounting = false;
    }
  }

  #count(bytes: number): void {
    if (!this.#isCounting || this.#isCut) return;
    this.#received += bytes;
    if (this.#received <= this.#bytes) return;
    this.#isCut = true;
    // Ended here, which fails the command, and connected again above: a reconnection by itself would send it again.
    this.#redis.disconnect();
    this.#redis.stream.destroy();
  }
}
