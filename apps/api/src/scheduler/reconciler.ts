import { randomUUID } from "node:crypto";
import { type DesiredState, isTerminal, keyName, parseKeyName, redisChannels, redisKeys } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { Attempt, Job, PrismaClient, Stage } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";

/** Workers may still ask about a job for so long after its end. */
const keepMs = 3_600_000;
const pruneEveryMs = 600_000;

/** What decides a job's entry in `hw:desired`. */
export type DesiredSource = Pick<Job, "id" | "state" | "desired" | "attempt"> & {
  readonly attempts: readonly Pick<Attempt, "number" | "state">[];
  readonly stages: readonly Pick<Stage, "index" | "state">[];
};

/** What workers must do with a job: an attempt below `attempt` has lost the fencing token. */
export function desiredStateOf(job: DesiredSource): DesiredState {
  const current = job.attempts.find(({ number }) => number === job.attempt);
  const isOver = isTerminal(job.state);
  const attempt = current?.state === "RUNNING" && !isOver ? job.attempt : job.attempt + 1;
  const undone = job.stages.filter(({ state }) => state !== "SUCCEEDED").map(({ index }) => index);
  const stage = undone.length > 0 ? Math.min(...undone) : job.stages.length;
  return { state: isOver ? "cancel" : wishes[job.desired], attempt, stage };
}

const wishes = { RUN: "run", END_TRAINING: "endTraining", CANCEL: "cancel" } as const;

export interface ReconcilerOptions {
  readonly prisma: PrismaClient;
  readonly redis: Redis;
  readonly log: Logger;
}

/** Keeps in Redis what workers read of the database, and rebuilds all of it when Redis was emptied or restarted. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #mirrored = new Map<string, string>();
  #generation: string | null = null;
  #mustRebuild = true;
  #prunedAt = performance.now();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    // A restarted server may have lost its last second (AOF everysec): what it holds is not to be trusted.
    options.redis.on("ready", () => {
      this.#mustRebuild = true;
    });
  }

  /** @returns whether Redis had to be rebuilt */
  async check(): Promise<boolean> {
    const { redis, log } = this.#options;
    await redis.set(redisKeys.generation, randomUUID(), "NX");
    const generation = await redis.get(redisKeys.generation);
    const isEmptied = this.#generation !== null && generation !== this.#generation;
    if (isEmptied) log.warn({ generation }, "Redis was emptied; rebuilding it from the database");
    if (isEmptied || this.#mustRebuild) {
      this.#mustRebuild = false;
      try {
        await this.#rebuild();
      } catch (error) {
        this.#mustRebuild = true;
        throw error;
      }
      this.#generation = generation;
      return true;
    }
    if (performance.now() - this.#prunedAt > pruneEveryMs) await this.#prune();
    return false;
  }

  /** Writes the entries that differ from what was written last, and wakes the workers. */
  async mirrorDesired(jobs: readonly DesiredSource[]): Promise<void> {
    const pipeline = this.#options.redis.pipeline();
    const written: [string, string][] = [];
    for (const job of jobs) {
      const text = JSON.stringify(desiredStateOf(job));
      if (this.#mirrored.get(job.id) === text) continue;
      pipeline.hset(redisKeys.desired, job.id, text).publish(redisChannels.desired, job.id);
      written.push([job.id, text]);
    }
    if (written.length === 0) return;
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    for (const [jobId, text] of written) this.#mirrored.set(jobId, text);
  }

  /** Jobs mirrored as running that are no longer active. */
  endedSince(activeIds: ReadonlySet<string>): string[] {
    return [...this.#mirrored.keys()].filter((jobId) => !activeIds.has(jobId));
  }

  forget(jobIds: readonly string[]): void {
    for (const jobId of jobIds) this.#mirrored.delete(jobId);
  }

  async #rebuild(): Promise<void> {
    const { prisma, redis } = this.#options;
    const since = new Date(Date.now() - keepMs);
    const jobs = await prisma.job.findMany({
      where: { OR: [{ finishedAt: null }, { finishedAt: { gt: since } }] },
      select: {
        id: true,
        state: true,
        desired: true,
        attempt: true,
        attempts: { select: { number: true, state: true } },
        stages: { select: { index: true, state: true } },
      },
    });
    const sequences = await prisma.stageSequence.findMany({ where: { jobId: { in: jobs.map(({ id }) => id) } } });
    if (sequences.length > 0) {
      await redis.hset(redisKeys.acked, Object.fromEntries(sequences.map((row) => [keyName(row), row.seq])));
    }
    this.#mirrored.clear();
    await this.mirrorDesired(jobs);
    await redis.publish(redisChannels.resend, "");
  }

  /** Drops what is said of jobs that ended long ago. */
  async #prune(): Promise<void> {
    const { prisma, redis } = this.#options;
    this.#prunedAt = performance.now();
    const desired = await redis.hkeys(redisKeys.desired);
    const acked = await redis.hkeys(redisKeys.acked);
    const jobOf = (key: string) => key.replace(/-\d+-\d+(\.\d+)?$/, "");
    const ids = [...new Set([...desired, ...acked.map(jobOf)])];
    const kept = await prisma.job.findMany({
      where: { id: { in: ids }, OR: [{ finishedAt: null }, { finishedAt: { gt: new Date(Date.now() - keepMs) } }] },
      select: { id: true },
    });
    const keep = new Set(kept.map(({ id }) => id));
    const oldDesired = desired.filter((jobId) => !keep.has(jobId));
    const oldAcked = acked.filter((key) => !keep.has(jobOf(key)));
    if (oldDesired.length > 0) await redis.hdel(redisKeys.desired, ...oldDesired);
    if (oldAcked.length > 0) await redis.hdel(redisKeys.acked, ...oldAcked);
    await this.#pruneStreams();
  }

  /**
   * Streams of workers that died before their events' acknowledgement, and those of earlier versions of this service.
   */
  async #pruneStreams(): Promise<void> {
    const { prisma, redis } = this.#options;
    for await (const page of redis.scanStream({ match: redisKeys.eventsPattern, count: 1000 })) {
      const streams = (page as string[]).filter((name) => name !== redisKeys.eventsBell);
      const jobOf = (name: string) => parseKeyName(name.split(":").at(-1) ?? "")?.jobId ?? "";
      const where = { id: { in: streams.map(jobOf) }, finishedAt: null };
      const active = new Set((await prisma.job.findMany({ where, select: { id: true } })).map(({ id }) => id));
      const old = streams.filter((name) => !active.has(jobOf(name)));
      if (old.length > 0) await redis.unlink(...old);
    }
  }
}
