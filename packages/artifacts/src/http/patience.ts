import { setTimeout as delay } from "node:timers/promises";

const firstPauseMs = 100;
const longestPauseMs = 5000;

/** How long a caller goes on trying: pauses grow, and what came through begins them anew. */
export class Patience {
  readonly #patienceMs: number;
  readonly #signal: AbortSignal | undefined;
  #triedSince: number | null = null;
  #pauseMs = firstPauseMs;

  constructor(patienceMs: number, signal: AbortSignal | undefined) {
    this.#patienceMs = patienceMs;
    this.#signal = signal;
  }

  /** Something came through. */
  renew(): void {
    this.#triedSince = null;
    this.#pauseMs = firstPauseMs;
  }

  /**
   * Waits before the next try.
   *
   * @returns whether there is to be one
   * @throws the signal's reason
   */
  async pause(leastMs = 0): Promise<boolean> {
    this.#triedSince ??= performance.now();
    if (performance.now() - this.#triedSince > this.#patienceMs) return false;
    // Workers that lost the same server do not all come back at once.
    const ms = Math.max(leastMs, this.#pauseMs * (0.5 + Math.random() / 2));
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    await delay(ms, undefined, this.#signal ? { signal: this.#signal } : {});
    return true;
  }
}
