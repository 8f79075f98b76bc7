import { type Problem, problemFrom } from "@hopwise/contracts";
import type { Logger } from "../logger.ts";
import { HoldLost, type RowHolds } from "./row-holds.ts";

export interface HeldWorkOptions<Change> {
  readonly holds: RowHolds<Change>;
  readonly log: Pick<Logger, "error" | "warn">;
  /** Rows that this process is at, at most. */
  readonly atOnce: number;
  /** Between two looks for something to do. */
  readonly everyMs?: number;
  /** Works on one row to its end. @throws whatever ends it; the signal's reason, HoldLost */
  readonly run: (id: string, signal: AbortSignal) => Promise<void>;
  /** What is written of a row that failed. */
  readonly failed: (problem: Problem) => Change;
  /** Removes what rows that have ended leave behind. */
  readonly clear?: (isRunning: (id: string) => boolean) => Promise<void>;
}

const renewMs = 4000;

/** What is written of a row of the usual kind that failed. */
export function failedRow(problem: Problem) {
  return { state: "FAILED" as const, problem, finishedAt: new Date(), waitReason: null };
}

/**
 * Works on rows in the background, a few at a time. Every process of the API does, and none needs Redis for it: a row
 * that a killed one held is gone on with by the next that looks.
 */
export class HeldWork<Change> {
  readonly #options: HeldWorkOptions<Change> & { readonly everyMs: number };
  readonly #running = new Map<string, { readonly abort: AbortController; readonly end: Promise<void> }>();
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | null = null;
  #isDue = false;

  constructor(options: HeldWorkOptions<Change>) {
    this.#options = { everyMs: 2000, ...options };
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

  /** After a commit that cancelled a row: what is at it here ends now. */
  cancelled(id: string): void {
    this.#running.get(id)?.abort.abort(new HoldLost(`The ${this.#options.holds.noun} ${id} was cancelled.`));
    this.wake();
  }

  /** Ends what is under way; it is gone on with at the next start, or by another process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const { abort } of this.#running.values()) abort.abort(new HoldLost("The service is being stopped."));
    await this.#look;
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  async #lookAll(): Promise<void> {
    this.#isDue = false;
    const { holds, atOnce, clear, log } = this.#options;
    try {
      while (!this.#isStopped && this.#running.size < atOnce) {
        const id = await holds.take([...this.#running.keys()]);
        if (id === null) break;
        const abort = new AbortController();
        this.#running.set(id, { abort, end: this.#work(id, abort) });
      }
      if (!this.#isStopped) await clear?.((id) => this.#running.has(id));
    } catch (err) {
      log.warn({ err, work: holds.noun }, "a look for something to do was cut short");
    }
  }

  async #work(id: string, abort: AbortController): Promise<void> {
    const { holds, log, run, failed } = this.#options;
    const renewal = setInterval(() => {
      holds.renew(id).catch((error: unknown) => {
        if (error instanceof HoldLost) abort.abort(error);
      });
    }, renewMs);
    const fail = async (error: unknown) => {
      if (error instanceof HoldLost) return;
      const problem = problemFrom(error);
      if (problem.code === "INTERNAL") log.error({ err: error, work: holds.noun, id }, "work in the background failed");
      await holds.change(id, failed(problem));
    };
    try {
      await run(id, abort.signal).catch(fail);
      await holds.release(id);
    } catch (err) {
      // The database was away: when the hold has run out, it is gone on with.
      if (!(err instanceof HoldLost))
        log.warn({ err, work: holds.noun, id }, "work in the background was left as it is");
    } finally {
      clearInterval(renewal);
      this.#running.delete(id);
      this.wake();
    }
  }
}
