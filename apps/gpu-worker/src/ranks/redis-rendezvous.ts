import { redisKeys, rendezvousChannel, rendezvousMs } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { connectRedis } from "../redis.ts";
import { type Rendezvous, RendezvousTable } from "./rendezvous.ts";

/** A message can be lost with its connection: what is missing is looked up again so often. */
const lookAgainMs = 500;

/**
 * Where ranks on several hosts find each other: a hash in Redis that each host's launcher reads and writes for its
 * ranks, so that ranks need no connection, and no password, of their own.
 */
export class RedisRendezvous implements Rendezvous {
  readonly #redis: Redis;
  readonly #subscriber: Redis;
  readonly #name: string;
  /** What has been read, and who waits. */
  readonly #table = new RendezvousTable();
  readonly #wanted = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param redis shared with the worker, for short commands
   * @param name as the task has it
   */
  constructor(redis: Redis, redisUrl: string, name: string) {
    this.#redis = redis;
    this.#name = name;
    this.#subscriber = connectRedis(redisUrl, { maxRetriesPerRequest: null });
    this.#subscriber.on("error", () => undefined); // looked up again below
    this.#subscriber.on("message", () => void this.#look());
    this.#subscriber.subscribe(rendezvousChannel(name)).catch(() => undefined);
    this.#timer = setInterval(() => void this.#look(), lookAgainMs);
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    const name = redisKeys.rendezvous(this.#name);
    const results = await this.#redis
      .multi()
      .hset(name, key, Buffer.from(value))
      .pexpire(name, rendezvousMs)
      .publish(rendezvousChannel(this.#name), key)
      .exec();
    for (const [error] of results ?? []) if (error) throw error;
  }

  get(key: string): Promise<Uint8Array> {
    const value = this.#table.get(key);
    this.#wanted.add(key);
    void this.#look();
    return value;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#subscriber.disconnect();
  }

  async #look(): Promise<void> {
    const keys = [...this.#wanted];
    if (keys.length === 0) return;
    const found = this.#redis.hmgetBuffer(redisKeys.rendezvous(this.#name), ...keys);
    const values = await found.catch(() => []); // Redis is away: again soon
    for (const [i, value] of values.entries()) {
      const key = keys[i] as string;
      if (value && this.#wanted.delete(key)) this.#table.set(key, new Uint8Array(value));
    }
  }
}
