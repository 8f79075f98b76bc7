import { type DesiredState, redisChannels, redisKeys, type StageKey } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Logger } from "../log.ts";
import { periodically } from "../periodic.ts";

const desiredState = z.object({
  state: z.enum(["run", "endTraining", "cancel"]),
  attempt: z.number().int(),
  stage: z.number().int().optional(),
});

/** Why a stage must stop although nothing failed. */
export type StopReason = "cancelled" | "overtaken";

/** What a stage that runs is told. Both are called once at most, and nothing after `onStop`. */
export interface DesiredListener {
  readonly onStop: (reason: StopReason) => void;
  /** A training is to end where it is, with what it came to. */
  readonly onEndTraining: () => void;
}

/** Whether the stored state stops a stage of this attempt, and why. */
export function stopReason(state: DesiredState | null, attempt: number): StopReason | null {
  if (state === null) return null;
  if (state.attempt > attempt) return "overtaken";
  return state.state === "cancel" ? "cancelled" : null;
}

/**
 * Watches `hw:desired` for the jobs that run here: woken by the channel, and read each second in case a message was
 * lost. Redis being away or emptied stops nothing.
 */
export class DesiredStates {
  readonly #redis: Redis;
  readonly #watched = new Map<StageKey, DesiredListener>();
  readonly #endsTraining = new Set<StageKey>();
  readonly #stop: () => Promise<void>;

  constructor(redis: Redis, log: Logger) {
    this.#redis = redis;
    this.#stop = periodically(
      1000,
      () => this.#check([...this.#watched.keys()]),
      (err) => log.debug({ err }, "desired states cannot be read"),
    );
  }

  /** Subscribes to wake-ups on a connection in subscriber mode. */
  async listen(subscriber: Redis): Promise<void> {
    subscriber.on("message", (channel, jobId) => {
      if (channel !== redisChannels.desired) return;
      const woken = [...this.#watched.keys()].filter((key) => key.jobId === jobId);
      this.#check(woken).catch(() => undefined); // read again within a second
    });
    await subscriber.subscribe(redisChannels.desired);
  }

  /** Tells the listener what is asked of the stage; returns the end of watching. */
  watch(key: StageKey, listener: DesiredListener): () => void {
    this.#watched.set(key, listener);
    return () => this.#forget(key);
  }

  /** Whether the stage may still write, as far as Redis can say now. */
  async stopReason(key: StageKey): Promise<StopReason | null> {
    const found = await this.#redis.hget(redisKeys.desired, key.jobId);
    return stopReason(parse(found), key.attempt);
  }

  async close(): Promise<void> {
    await this.#stop();
  }

  async #check(keys: readonly StageKey[]): Promise<void> {
    if (keys.length === 0) return;
    const found = await this.#redis.hmget(redisKeys.desired, ...keys.map((key) => key.jobId));
    for (const [i, key] of keys.entries()) {
      const listener = this.#watched.get(key);
      if (listener) this.#tell(key, parse(found[i]), listener);
    }
  }

  #tell(key: StageKey, state: DesiredState | null, { onStop, onEndTraining }: DesiredListener): void {
    const reason = stopReason(state, key.attempt);
    if (reason !== null) {
      this.#forget(key);
      onStop(reason);
    } else if (state?.state === "endTraining" && !this.#endsTraining.has(key)) {
      this.#endsTraining.add(key);
      onEndTraining();
    }
  }

  #forget(key: StageKey): void {
    this.#watched.delete(key);
    this.#endsTraining.delete(key);
  }
}

function parse(text: string | null | undefined): DesiredState | null {
  return text ? desiredState.parse(JSON.parse(text)) : null;
}
