import type { ArtifactStore } from "@hopwise/artifacts";
import { limits, problemFrom } from "@hopwise/contracts";
import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { HoldLost, ImportHolds } from "./import-hold.ts";
import { partsPrefix } from "./parts-prefix.ts";

export interface ImporterOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  readonly log: Pick<Logger, "error" | "warn">;
  /** The database serves this process alone (PGlite). */
  readonly isSoleClient: boolean;
  /** Between two looks for something to fetch. */
  readonly everyMs?: number;
}

/** Fetches one import to its end. @throws whatever ends it; the signal's reason, HoldLost */
export type RunImport = (id: string, holds: ImportHolds, signal: AbortSignal) => Promise<void>;

const renewMs = 4000;

/**
 * Fetches imports in the background, a few at a time. Every process of the API does, and none needs Redis for it: an
 * import that a killed one held is gone on with by the next that looks, from what lies in the store.
 */
export class Importer {
  readonly #options: Required<ImporterOptions>;
  readonly #holds: ImportHolds;
  readonly #run: RunImport;
  readonly #running = new Map<string, { readonly abort: AbortController; readonly end: Promise<void> }>();
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | null = null;
  #isDue = false;

  constructor(options: ImporterOptions, run: RunImport) {
    this.#options = { everyMs: 2000, ...options };
    this.#holds = new ImportHolds(options.prisma, options.isSoleClient);
    this.#run = run;
  }

  /** Looks for something to do now, and then from time to time. */
  wake(): void {
    this.#isDue = true;
    if (this.#isStopped || this.#look) return;
    clearTimeout(this.#timer);
    this.#look = this.#lookAll().finally(() => {
      this.#look = null;
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => this.wake(), this.#isDue ? 0 : this.#options.everyMs);
      this.#timer.unref();
    });
  }

  /** After a commit that cancelled an import: what fetches it here ends now. */
  cancelled(id: string): void {
    this.#running.get(id)?.abort.abort(new HoldLost(`The import ${id} was cancelled.`));
    this.wake();
  }

  /** Ends what is being fetched; it is gone on with at the next start, or by another process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const { abort } of this.#running.values()) abort.abort(new HoldLost("The service is being stopped."));
    await this.#look;
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  async #lookAll(): Promise<void> {
    this.#isDue = false;
    try {
      while (!this.#isStopped && this.#running.size < limits.importsAtOnce) {
        const id = await this.#holds.take([...this.#running.keys()]);
        if (id === null) break;
        const abort = new AbortController();
        this.#running.set(id, { abort, end: this.#fetch(id, abort) });
      }
      if (!this.#isStopped) await this.#clearEnded();
    } catch (err) {
      this.#options.log.warn({ err }, "a look for imports was cut short");
    }
  }

  async #fetch(id: string, abort: AbortController): Promise<void> {
    const { log } = this.#options;
    const renewal = setInterval(() => {
      this.#holds.renew(id).catch((error: unknown) => {
        if (error instanceof HoldLost) abort.abort(error);
      });
    }, renewMs);
    const failed = async (error: unknown) => {
      if (error instanceof HoldLost) return;
      const problem = problemFrom(error);
      if (problem.code === "INTERNAL") log.error({ err: error, importId: id }, "an import failed");
      const data = { state: "FAILED", problem: problem as Prisma.InputJsonObject, finishedAt: new Date() } as const;
      await this.#holds.change(id, { ...data, waitReason: null });
    };
    try {
      await this.#run(id, this.#holds, abort.signal).catch(failed);
      await this.#holds.release(id);
    } catch (err) {
      // The database was away: when the hold has run out, it is gone on with.
      if (!(err instanceof HoldLost)) log.warn({ err, importId: id }, "an import was left as it is");
    } finally {
      clearInterval(renewal);
      this.#running.delete(id);
      this.wake();
    }
  }

  async #clearEnded(): Promise<void> {
    const { prisma, store } = this.#options;
    for (const { id, projectId } of await this.#holds.ended()) {
      if (this.#running.has(id)) continue;
      await store.delete(partsPrefix(projectId, id));
      await prisma.import.updateMany({ where: { id }, data: { isCleared: true } });
    }
  }
}
