import { cpus } from "node:os";
import {
  contractVersion,
  leaseMs,
  redisKeys,
  renewMs,
  type StageKey,
  type WorkerAnnouncement,
} from "@hopwise/contracts";
import { usableCores, usableMemory } from "@hopwise/gnn-core/ranks";
import type { Registry } from "@hopwise/gnn-core/spec";
import type { Redis } from "ioredis";
import type { Env } from "./env.ts";
import { freeDisk, instructionSet } from "./host-facts.ts";
import type { Logger } from "./log.ts";
import { periodically } from "./periodic.ts";
import type { RedisAccess } from "./redis-access.ts";

export interface AnnouncerOptions {
  readonly redis: Redis;
  readonly log: Logger;
  readonly env: Env;
  readonly id: string;
  readonly bootId: string;
  readonly version: string;
  readonly registry: Registry;
  /** The stages that run here now. */
  readonly running: () => readonly StageKey[];
  readonly isDraining: () => boolean;
  readonly access: RedisAccess;
}

const kinds = ["model", "sampler", "partitioner", "reader", "step"] as const;

/** Says each second that this worker lives and what it can do; the key expires after five. */
export function announce(options: AnnouncerOptions): { now(): Promise<void>; stop(): Promise<void> } {
  const { redis, log, id, access } = options;
  const constant = constantFacts(options);
  const say = async () => {
    const announcement: WorkerAnnouncement = {
      ...constant,
      diskFreeBytes: await freeDisk(options.env.worker.dir),
      draining: options.isDraining(),
      running: options.running().map(({ jobId, attempt, stageIndex }) => ({ jobId, attempt, stageIndex })),
    };
    const text = JSON.stringify(announcement);
    const results = await redis
      .multi()
      .set(redisKeys.worker(id), text, "PX", leaseMs)
      .sadd(redisKeys.workers, id)
      .exec();
    for (const [error] of results ?? []) if (error) throw error;
    access.granted();
  };
  const onError = (err: unknown) => {
    access.note(err);
    log.debug({ err }, "cannot announce now");
  };
  const onReady = () => void say().catch(onError);
  redis.on("ready", onReady);
  const stopSaying = periodically(renewMs, say, onError);
  return {
    now: () => say().catch(onError),
    stop: async () => {
      redis.off("ready", onReady);
      await stopSaying();
      await redis.multi().del(redisKeys.worker(id)).srem(redisKeys.workers, id).exec().catch(onError);
    },
  };
}

function constantFacts({ env, id, bootId, version, registry }: AnnouncerOptions) {
  const memoryBytes = usableMemory();
  return {
    contract: contractVersion,
    id,
    bootId,
    host: env.worker.host,
    version,
    build: env.worker.build,
    pid: process.pid,
    devices: [{ kind: "cpu" as const, index: 0, name: cpus()[0]?.model.trim() || process.arch, memoryBytes }],
    slots: env.worker.slots,
    cores: usableCores(),
    memoryBytes,
    isa: instructionSet(),
    labels: env.worker.labels,
    rankAddress: env.network?.address ?? null,
    components: kinds.flatMap((kind) => registry.list(kind).map((c) => `${kind}:${c.name}@${c.version}`)),
  };
}
