import {
  contractVersion,
  renewMs,
  type StageKey,
  type WorkerAnnouncement,
  type WorkerDevice,
} from "@hopwise/contracts";
import { usableCores, usableMemory } from "@hopwise/gnn-core/ranks";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import { AnnouncementKey } from "./announcement-key.ts";
import type { Env } from "./env.ts";
import { freeDisk, instructionSet } from "./host-facts.ts";
import { HostLoad } from "./host-load.ts";
import type { Logger } from "./log.ts";
import { periodically } from "./periodic.ts";
import type { RedisAccess } from "./redis-access.ts";
import { IdTaken, takeId } from "./take-id.ts";

export interface AnnouncerOptions {
  readonly redis: Redis;
  readonly log: Logger;
  readonly env: Env;
  readonly id: string;
  readonly bootId: string;
  readonly version: string;
  readonly registry: Registry;
  /** On which the backend was tried, as they are now. */
  readonly devices: () => readonly WorkerDevice[];
  /** The stages that run here now. */
  readonly running: () => readonly StageKey[];
  readonly isDraining: () => boolean;
  readonly access: RedisAccess;
  /** Another process announces itself by this id, as it may after this one could not for five seconds. */
  readonly onTaken: (why: Error) => void;
}

const kinds = ["model", "sampler", "partitioner", "reader", "step"] as const;

/** Says each second that this worker lives and what it can do; the key expires after five. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #key: AnnouncementKey;
  readonly #load = new HostLoad();
  readonly #constant: ReturnType<typeof constantFacts>;
  readonly #onReady = () => void this.now();
  #stopSaying: () => Promise<void> = () => Promise.resolve();
  #isTaken = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#key = new AnnouncementKey(options.redis, options.id, options.bootId);
    this.#constant = constantFacts(options);
  }

  /**
   * Announces it for the first time.
   *
   * @param follows  boot of an earlier life, whose announcement may still be there
   * @throws IdTaken when another worker with this id is alive
   */
  async begin(follows: string | null): Promise<void> {
    await takeId(
      this.#options.id,
      async () => this.#granted(await this.#key.say(await this.#text(), follows)),
      (error) => this.#onError(error),
    );
    this.#options.redis.on("ready", this.#onReady);
    this.#stopSaying = periodically(
      renewMs,
      () => this.#say(),
      (error) => this.#onError(error),
    );
  }

  async now(): Promise<void> {
    await this.#say().catch((error: unknown) => this.#onError(error));
  }

  async stop(): Promise<void> {
    this.#options.redis.off("ready", this.#onReady);
    await this.#stopSaying();
    await this.#key.clear().catch((error: unknown) => this.#onError(error));
  }

  async #say(): Promise<void> {
    const rival = this.#granted(await this.#key.say(await this.#text()));
    if (rival === null || this.#isTaken) return;
    this.#isTaken = true;
    this.#options.onTaken(new IdTaken(this.#options.id, rival));
  }

  async #text(): Promise<string> {
    const { env, isDraining, running, devices } = this.#options;
    const announcement: WorkerAnnouncement = {
      ...this.#constant,
      devices: [...devices()],
      diskFreeBytes: await freeDisk(env.worker.dir),
      load: this.#load.read(),
      draining: isDraining(),
      running: running().map(({ jobId, attempt, stageIndex }) => ({ jobId, attempt, stageIndex })),
    };
    return JSON.stringify(announcement);
  }

  /** Redis has answered. */
  #granted<T>(value: T): T {
    this.#options.access.granted();
    return value;
  }

  #onError(err: unknown): void {
    this.#options.access.note(err);
    this.#options.log.debug({ err }, "cannot announce now");
  }
}

function constantFacts({ env, id, bootId, version, registry }: AnnouncerOptions) {
  return {
    contract: contractVersion,
    id,
    bootId,
    host: env.worker.host,
    version,
    build: env.worker.build,
    pid: process.pid,
    slots: env.worker.slots,
    cores: usableCores(),
    memoryBytes: usableMemory(),
    isa: instructionSet(),
    labels: env.worker.labels,
    rankAddress: env.network?.address ?? null,
    components: kinds.flatMap((kind) => registry.list(kind).map((c) => `${kind}:${c.name}@${c.version}`)),
  };
}
