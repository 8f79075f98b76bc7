import { randomUUID } from "node:crypto";
import type { ArtifactStore } from "@hopwise/artifacts";
import { problemFrom } from "@hopwise/contracts";
import type { Prisma, PrismaClient, Upload } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { NotYet } from "./finish-upload.ts";
import { uploadPrefix } from "./upload-prefix.ts";
import { nextExpiry } from "./upload-queries.ts";

export interface FinisherOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  readonly log: Pick<Logger, "error" | "warn">;
  /** The database serves this process alone (PGlite): whoever held an upload before is dead. */
  readonly isSoleClient: boolean;
  /** Between two looks for uploads that are whole, or have expired. */
  readonly everyMs?: number;
}

export interface Finish {
  /** The process that makes the file, as it stands in the row. */
  readonly holder: string;
  readonly signal: AbortSignal;
  /** Told how much of the upload is in the file. */
  readonly onBytes: (bytes: number) => void;
}

/** Makes an upload a file. @throws NotYet, also when the signal says so; AppError */
export type RunFinish = (upload: Upload, finish: Finish) => Promise<void>;

const holdMs = 15_000;
const renewMs = 4000;
const atOnce = 4;

/**
 * Makes uploads of which all bytes are there files of their datasets, and removes those that nobody went on with. Every
 * process of the API does; one that a killed process was at is found in the database by the next that looks.
 */
export class UploadFinisher {
  readonly #options: Required<FinisherOptions>;
  readonly #run: RunFinish;
  readonly #holder = `api-${randomUUID()}`;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | null = null;

  constructor(options: FinisherOptions, run: RunFinish) {
    this.#options = { everyMs: 3000, ...options };
    this.#run = run;
  }

  /** Looks now, and then from time to time. */
  wake(): void {
    if (this.#stopped.signal.aborted || this.#look) return;
    clearTimeout(this.#timer);
    this.#look = this.#lookAll().finally(() => {
      this.#look = null;
      if (this.#stopped.signal.aborted) return;
      this.#timer = setTimeout(() => this.wake(), this.#options.everyMs);
      this.#timer.unref();
    });
  }

  /** What is being made a file is begun again at the next start, or by another process. */
  async stop(): Promise<void> {
    this.#stopped.abort(new NotYet("The service is being stopped."));
    clearTimeout(this.#timer);
    await this.#look;
    await Promise.all(this.#running.values());
  }

  /** Has an upload made a file, whose bytes are all there; resolves when that has been tried here. */
  async finish(id: string): Promise<void> {
    const { prisma } = this.#options;
    await prisma.upload.updateMany({ where: { id, state: "RECEIVING" }, data: { state: "FINISHING" } });
    const running = this.#running.get(id) ?? this.#tryOne(id);
    this.#running.set(id, running);
    await running;
  }

  async #tryOne(id: string): Promise<void> {
    const { log } = this.#options;
    let finished = 0;
    const renewal = setInterval(() => void this.#hold(id, "mine", finished).catch(() => undefined), renewMs);
    const onBytes = (bytes: number) => {
      finished = bytes;
    };
    try {
      if (await this.#hold(id, "free", 0)) await this.#makeFile(id, onBytes);
    } catch (err) {
      // The database was away: when the hold has run out, it is gone on with.
      log.warn({ err, uploadId: id }, "an upload was left as it is");
    } finally {
      clearInterval(renewal);
      this.#running.delete(id);
    }
  }

  async #makeFile(id: string, onBytes: Finish["onBytes"]): Promise<void> {
    const { prisma, store, log } = this.#options;
    const upload = await prisma.upload.findUniqueOrThrow({ where: { id } });
    const mine = { id, holder: this.#holder, state: "FINISHING" } as const;
    try {
      await this.#run(upload, { holder: this.#holder, signal: this.#stopped.signal, onBytes });
    } catch (error) {
      const problem = problemFrom(error);
      if (error instanceof NotYet || (problem.retryable && problem.code !== "INTERNAL" && !isDamage(problem.code))) {
        await prisma.upload.updateMany({ where: mine, data: { holder: null, heldUntil: null } });
        return;
      }
      if (problem.code === "INTERNAL") log.error({ err: error, uploadId: id }, "an upload could not become a file");
      const failed = { state: "FAILED", problem: problem as Prisma.InputJsonObject } as const;
      await prisma.upload.updateMany({ where: mine, data: failed });
    }
    await prisma.upload.updateMany({ where: { id }, data: { expiresAt: nextExpiry() } });
    await store.delete(uploadPrefix(upload));
  }

  /** Takes an upload that is to be finished and that nobody holds, or renews the hold on it and says how far it is. */
  async #hold(id: string, which: "free" | "mine", finished: number): Promise<boolean> {
    const { prisma, isSoleClient } = this.#options;
    const mayTake = which === "free";
    const rows = await prisma.$executeRaw`
      UPDATE "Upload" SET "holder" = ${this.#holder}, "bytesFinished" = ${finished}::bigint,
        "heldUntil" = clock_timestamp() + ${holdMs}::int * interval '1 millisecond'
      WHERE "id" = ${id} AND "state" = 'FINISHING' AND ("holder" = ${this.#holder}
        OR (${mayTake}::boolean AND ("heldUntil" IS NULL OR "heldUntil" < clock_timestamp() OR ${isSoleClient}::boolean)))`;
    return rows === 1;
  }

  async #lookAll(): Promise<void> {
    const { prisma, log } = this.#options;
    try {
      const whole = await prisma.upload.findMany({
        where: { state: "FINISHING", id: { notIn: [...this.#running.keys()] } },
        orderBy: { createdAt: "asc" },
        take: Math.max(0, atOnce - this.#running.size),
      });
      for (const { id } of whole) void this.finish(id).catch(() => undefined);
      if (!this.#stopped.signal.aborted) await this.#removeExpired();
    } catch (err) {
      log.warn({ err }, "a look for uploads was cut short");
    }
  }

  async #removeExpired(): Promise<void> {
    const { prisma, store } = this.#options;
    const isExpired = { state: { not: "FINISHING" }, expiresAt: { lt: new Date() } } as const;
    for (const upload of await prisma.upload.findMany({ where: isExpired, take: 20 })) {
      // The row last: what could not be removed is looked at again.
      await store.delete(uploadPrefix(upload));
      await prisma.upload.deleteMany({ where: { id: upload.id, ...isExpired } });
    }
  }
}

/** What was sent wrongly does not get better by another try. */
function isDamage(code: string): boolean {
  return code === "UPLOAD_CHECKSUM" || code.startsWith("ARTIFACT_");
}
