import { explainEviction, explainWriteRefusal, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "../logger.ts";

const sayAgainMs = 60_000;
/** How long the probe's key lives, which nobody reads */
const probeMs = 60_000;

/**
 * Whether Redis is fit for jobs. One that answers and takes no writes is as good as away: no worker can renew a lease
 * there.
 */
export class RedisCondition {
  readonly #redis: Redis;
  readonly #log: Logger;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(redis: Redis, log: Logger) {
    this.#redis = redis;
    this.#log = log;
    redis.on("ready", () => void this.#warnOfEviction());
  }

  /** Never throws; says at most once a minute why writes are refused. */
  async takesWrites(): Promise<boolean> {
    try {
      await probeWrite(this.#redis);
    } catch (error) {
      this.#say(explainWriteRefusal(error));
      return false;
    }
    if (this.#saidAt > Number.NEGATIVE_INFINITY) this.#log.info("Redis takes writes again");
    this.#saidAt = Number.NEGATIVE_INFINITY;
    return true;
  }

  #say(why: string | null): void {
    const now = performance.now();
    if (why === null || now - this.#saidAt < sayAgainMs) return;
    this.#saidAt = now;
    this.#log.error(why);
  }

  async #warnOfEviction(): Promise<void> {
    try {
      const why = explainEviction(await this.#redis.info("memory"));
      if (why !== null) this.#log.error(why);
    } catch (err) {
      this.#log.debug({ err }, "how Redis makes room cannot be seen");
    }
  }
}

/** @throws what Redis says when it takes no writes, or nothing could be asked */
export async function probeWrite(redis: Redis): Promise<void> {
  await redis.set(redisKeys.probe, "1", "PX", probeMs);
}
