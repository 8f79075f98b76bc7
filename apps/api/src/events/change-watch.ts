import { setMaxListeners } from "node:events";
import type { Viewer } from "../auth/viewer.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";
import { type ChangeMarks, type ChangeTopic, changedTopics, changeTopics, readChangeMarks } from "./change-marks.ts";

export interface ChangeWatchOptions {
  readonly prisma: PrismaClient;
  readonly log: Pick<Logger, "warn">;
  /** Between two looks; more where a look takes long. */
  readonly everyMs?: number;
}

/** A look may take this part of the time at most. */
const shareOfTime = 0.02;

/**
 * Tells pages which of the lists that they show have changed, so that none asks while nothing changes. It looks into
 * the database, once for all who follow and only while somebody does: whichever process writes, no message between
 * processes has to arrive.
 */
export class ChangeWatch {
  readonly #options: Required<ChangeWatchOptions>;
  readonly #closing = new AbortController();
  readonly #waiting = new Set<() => void>();
  #numFollowers = 0;
  #marks: ChangeMarks | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChangeWatchOptions) {
    this.#options = { everyMs: 1000, ...options };
    setMaxListeners(0, this.#closing.signal);
  }

  /**
   * First all topics, once everything that is written from then on will be told: what was read before may be older.
   * Then those that have changed, whenever some have. What changes while nobody takes the next is told as one.
   * `return()` ends a wait at once.
   */
  follow(viewer: Pick<Viewer, "userId" | "projectId">): AsyncGenerator<readonly ChangeTopic[], void, void> {
    const abort = new AbortController();
    const changes = this.#follow(viewer, AbortSignal.any([abort.signal, this.#closing.signal]));
    const end = changes.return.bind(changes);
    changes.return = (value) => {
      abort.abort();
      return end(value);
    };
    return changes;
  }

  /** Ends every follower. */
  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  async *#follow(
    viewer: Pick<Viewer, "userId" | "projectId">,
    stop: AbortSignal,
  ): AsyncGenerator<readonly ChangeTopic[], void, void> {
    this.#numFollowers++;
    try {
      let told = this.#marks;
      while (!told && !stop.aborted) {
        await this.#nextLook(stop);
        told = this.#marks;
      }
      if (!stop.aborted) yield changeTopics;
      while (told && !stop.aborted) {
        const now = this.#marks ?? told;
        const changed = changedTopics(told, now, viewer);
        told = now;
        if (changed.length > 0) yield changed;
        else await this.#nextLook(stop);
      }
    } finally {
      this.#numFollowers--;
      // Marks that nobody renews must not be the next follower's beginning.
      if (this.#numFollowers === 0) this.#marks = null;
    }
  }

  /** Resolves after the next look that succeeded, or when stopped. */
  #nextLook(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        stop.removeEventListener("abort", done);
        resolve();
      };
      if (stop.aborted) return resolve();
      this.#waiting.add(done);
      stop.addEventListener("abort", done);
      this.#lookIn(this.#marks === null ? 0 : this.#options.everyMs);
    });
  }

  #lookIn(ms: number): void {
    if (this.#timer !== undefined || this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { prisma, log, everyMs } = this.#options;
    const startedAt = performance.now();
    try {
      const marks = await readChangeMarks(prisma);
      if (this.#numFollowers > 0) this.#marks = marks;
      for (const done of this.#waiting) done();
    } catch (err) {
      log.warn({ err }, "changes of lists were not looked for");
    }
    this.#timer = undefined;
    const tookMs = performance.now() - startedAt;
    if (this.#numFollowers > 0) this.#lookIn(Math.max(everyMs, tookMs / shareOfTime));
  }
}
