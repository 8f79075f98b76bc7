import { contractVersion, limits, redisKeys, type WorkerAnnouncement, workerAnnouncement } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Prisma, PrismaClient, Worker, WorkerState } from "../generated/prisma/client.ts";
import { OneByOne } from "../leader/one-by-one.ts";
import type { Logger } from "../logger.ts";
import { readText } from "../redis/read-text.ts";

/** As much as a worker of any contract version says. */
const anyAnnouncement = z.looseObject({
  contract: z.int32(),
  id: z.string(),
  bootId: z.string(),
  host: z.string(),
  version: z.string(),
  build: z.string(),
});
type AnyAnnouncement = z.infer<typeof anyAnnouncement>;

export interface KnownWorker {
  readonly raw: AnyAnnouncement;
  /** Null when it speaks another contract version. */
  readonly announcement: WorkerAnnouncement | null;
  readonly refusal: string | null;
  /** When the last announcement was seen, by performance.now(). */
  readonly seenAt: number;
}

/** What of an announcement changes all the time */
const passing = new Set(["diskFreeBytes", "running", "use", "load"]);

/** Why a worker gets no new work that an admin drains (`drainWorker`). */
const drainedReason = "an admin has it take no new work (Workers, Drain)";

/** How often an unchanged worker's `lastSeen` is written. */
const writeEveryMs = 5000;

export interface WorkerDirectoryOptions {
  readonly prisma: PrismaClient;
  readonly redis: Redis;
  /** How long after its last announcement a worker counts as present. */
  readonly staleMs: number;
  readonly log: Pick<Logger, "error">;
}

/** The workers that announce themselves in Redis, mirrored to the Worker table for everyone to see. */
export class WorkerDirectory {
  readonly #prisma: PrismaClient;
  readonly #redis: Redis;
  readonly #staleMs: number;
  readonly #known = new Map<string, KnownWorker>();
  /** A worker that says what no database takes is no worker, and holds up none of the others. */
  readonly #mirrors: OneByOne;
  #drained: ReadonlySet<string> = new Set();
  readonly #written = new Map<string, { text: string; at: number }>();

  constructor({ prisma, redis, staleMs, log }: WorkerDirectoryOptions) {
    this.#prisma = prisma;
    this.#redis = redis;
    this.#staleMs = staleMs;
    this.#mirrors = new OneByOne(log, "workerId");
  }

  /** Reads the announcements and writes what changed. */
  async refresh(): Promise<void> {
    const now = performance.now();
    for (const [key, text] of await this.#readAll()) {
      const worker = parseAnnouncement(text, now);
      // Nobody speaks for another worker: who may write this key is the one that it is named after.
      if (worker && redisKeys.worker(worker.raw.id) === key) this.#known.set(worker.raw.id, worker);
    }
    const workers = [...this.#known.values()].map((worker) => ({ id: worker.raw.id, worker }));
    await this.#mirrors.act(workers, ({ worker }) => this.#mirror(worker, now));
    const drained = await this.#prisma.worker.findMany({ where: { drained: true }, select: { id: true } });
    this.#drained = new Set(drained.map(({ id }) => id));
    await this.#markOffline(now);
  }

  /** Workers that announced themselves lately, and stand in the database. */
  present(): KnownWorker[] {
    const now = performance.now();
    return [...this.#known.values()]
      .filter(({ raw, seenAt }) => now - seenAt <= this.#staleMs && this.#written.has(raw.id))
      .map((worker) =>
        this.#drained.has(worker.raw.id) ? { ...worker, refusal: worker.refusal ?? drainedReason } : worker,
      );
  }

  find(workerId: string): KnownWorker | null {
    return this.present().find(({ raw }) => raw.id === workerId) ?? null;
  }

  /**
   * Its lease has run out, which it renews together with its announcement: no work for it until it announces itself
   * anew, or the next attempt could go to the dead worker too.
   */
  forget(workerId: string): void {
    this.#known.delete(workerId);
  }

  /** Keys and what they hold */
  async #readAll(): Promise<[string, string][]> {
    const found = new Set<string>();
    for (let cursor = "0"; ; ) {
      const [next, some] = await this.#redis.scan(cursor, "MATCH", redisKeys.workerPattern, "COUNT", 1000);
      for (const key of some) found.add(key);
      cursor = next;
      if (cursor === "0") break;
    }
    const keys = [...found];
    const texts = await Promise.all(keys.map((key) => readText(this.#redis, key, limits.announcementBytes)));
    return keys.flatMap((key, i): [string, string][] => (texts[i] ? [[key, texts[i]]] : []));
  }

  /** @returns whether it wrote */
  async #mirror({ raw, announcement, refusal, seenAt }: KnownWorker, now: number): Promise<boolean> {
    if (now - seenAt > this.#staleMs) return false;
    const text = JSON.stringify(raw, (key, value) => (passing.has(key) ? undefined : value));
    const last = this.#written.get(raw.id);
    if (last && last.text === text && now - last.at < writeEveryMs) return false;
    const { id, bootId, host, version, build, contract } = raw;
    const row = {
      bootId,
      host,
      version,
      build,
      contract,
      compatible: refusal === null,
      reason: refusal,
      state: announcement?.draining ? ("DRAINING" as const) : ("ONLINE" as const),
      announcement: raw as Prisma.InputJsonValue,
      lastSeen: new Date(Date.now() - (now - seenAt)),
    };
    await this.#prisma.worker.upsert({ where: { id }, create: { id, ...row }, update: row });
    this.#written.set(id, { text, at: now });
    return true;
  }

  async #markOffline(now: number): Promise<void> {
    const stale = [...this.#written].filter(
      ([id]) => now - (this.#known.get(id)?.seenAt ?? Number.NEGATIVE_INFINITY) > this.#staleMs,
    );
    for (const [id] of stale) {
      this.#written.delete(id);
      this.#known.delete(id);
      await this.#prisma.worker.updateMany({ where: { id }, data: { state: "OFFLINE" } });
    }
  }

  /** Rows of workers that vanished while no scheduler was looking. */
  async markForgotten(): Promise<void> {
    const before = new Date(Date.now() - Math.max(this.#staleMs, 2 * writeEveryMs));
    await this.#prisma.worker.updateMany({
      where: { state: { not: "OFFLINE" }, lastSeen: { lt: before } },
      data: { state: "OFFLINE" },
    });
  }
}

function parseAnnouncement(text: string, seenAt: number): KnownWorker | null {
  const raw = anyAnnouncement.safeParse(parseJson(text));
  if (!raw.success) return null;
  const { contract, version } = raw.data;
  if (contract !== contractVersion) {
    const refusal = `It speaks contract ${contract} (build ${version}), this service speaks ${contractVersion}; run the same release on both.`;
    return { raw: raw.data, announcement: null, refusal, seenAt };
  }
  const announcement = workerAnnouncement.safeParse(raw.data);
  if (announcement.success) return { raw: raw.data, announcement: announcement.data, refusal: null, seenAt };
  const [issue] = announcement.error.issues;
  const refusal = `Its announcement cannot be read: ${issue?.path.map(String).join(".")}: ${issue?.message}.`;
  return { raw: raw.data, announcement: null, refusal, seenAt };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What a reader of the Worker table should show: a row nobody renewed is OFFLINE even if no scheduler said so yet. */
export function shownWorkerState(
  { state, drained, lastSeen }: Pick<Worker, "state" | "drained" | "lastSeen">,
  now: Date,
): WorkerState {
  if (now.getTime() - lastSeen.getTime() > 3 * writeEveryMs) return "OFFLINE";
  return drained && state === "ONLINE" ? "DRAINING" : state;
}
