/**
 * Since when Redis has answered without a break. A scheduler that could not look (Redis away, or this process
 * stopped for a while) must not hold a missing lease against a worker.
 */
export class Reachability {
  readonly #maxSilenceMs: number;
  #since: number | null = null;
  #lastOk = 0;

  constructor(maxSilenceMs: number) {
    this.#maxSilenceMs = maxSilenceMs;
  }

  /** Times are of one monotonic clock, in ms. */
  note(isOk: boolean, now: number): void {
    if (!isOk) this.#since = null;
    else if (this.#since === null || now - this.#lastOk > this.#maxSilenceMs) this.#since = now;
    if (isOk) this.#lastOk = now;
  }

  /** Forgets what was known, e.g. when Redis came back empty. */
  restart(now: number): void {
    this.#since = now;
    this.#lastOk = now;
  }

  get since(): number | null {
    return this.#since;
  }
}
