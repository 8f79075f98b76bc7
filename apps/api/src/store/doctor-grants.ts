import { assertKey } from "@hopwise/artifacts";
import { doctorKey, doctorMs, doctorRequest, limits, redisChannels, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Logger } from "../logger.ts";
import { readText } from "../redis/read-text.ts";
import type { StoreGrants } from "./store-grants.ts";

export interface DoctorGrantsOptions {
  readonly redis: Redis;
  readonly grants: Pick<StoreGrants, "forDoctor">;
  readonly log: Logger;
}

/** Gives the workers of a check (`script/doctor`) grants for what they store and read of each other in it. */
export class DoctorGrants {
  readonly #options: DoctorGrantsOptions;

  constructor(options: DoctorGrantsOptions) {
    this.#options = options;
  }

  /** Subscribes to wake-ups on a connection in subscriber mode. */
  async listen(subscriber: Redis): Promise<void> {
    const { log } = this.#options;
    subscriber.on("message", (channel) => {
      if (channel === redisChannels.doctor) this.#give().catch((err) => log.warn({ err }, "no grants for a check"));
    });
    await subscriber.subscribe(redisChannels.doctor);
  }

  async #give(): Promise<void> {
    const { redis, grants } = this.#options;
    const request = await readText(redis, redisKeys.doctor, limits.doctorRequestBytes);
    const { id, workers } = doctorRequest.parse(JSON.parse(request ?? "null"));
    for (const worker of workers) assertKey(doctorKey(id, worker));
    const pipeline = redis.pipeline();
    for (const worker of workers) {
      pipeline.set(redisKeys.doctorGrant(worker, id), grants.forDoctor(id, workers, worker), "PX", doctorMs);
    }
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }
}
