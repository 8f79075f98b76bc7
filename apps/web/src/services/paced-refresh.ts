/** When a list is asked for again. */
export interface PacedRefreshOptions {
  readonly refresh: () => void;
  /** Between two times at least; and how often without a connection that tells of changes. */
  readonly everyMs: number;
}

/**
 * Asks for a list again when it has changed: not while an earlier answer is still on its way, which may be older than
 * the change, not more often than it may, and not while nobody looks. What is put off is made up for, once.
 */
export class PacedRefresh {
  readonly #options: PacedRefreshOptions;
  #isDue = false;
  #isBusy = false;
  #isSeen = true;
  #isLive = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PacedRefreshOptions) {
    this.#options = options;
    this.#waitForNext();
  }

  /** Something has changed. */
  tell(): void {
    this.#isDue = true;
    this.#refreshIfDue();
  }

  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#refreshIfDue();
  }

  setSeen(isSeen: boolean): void {
    // What is not live may be as old as the time for which nobody looked.
    if (isSeen && !this.#isSeen && !this.#isLive) this.#isDue = true;
    this.#isSeen = isSeen;
    this.#refreshIfDue();
  }

  setLive(isLive: boolean): void {
    this.#isLive = isLive;
    this.#waitForNext();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #refreshIfDue(): void {
    if (!this.#isDue || this.#isBusy || !this.#isSeen) return;
    if (performance.now() - this.#lastAt < this.#options.everyMs) return this.#waitForNext();
    this.#isDue = false;
    this.#lastAt = performance.now();
    this.#options.refresh();
    this.#waitForNext();
  }

  /** Looks once more as soon as it may; without a connection that is when to ask by the clock, too. */
  #waitForNext(): void {
    clearTimeout(this.#timer);
    if (this.#isLive && !this.#isDue) return;
    const { everyMs } = this.#options;
    const sinceMs = performance.now() - this.#lastAt;
    this.#timer = setTimeout(
      () => {
        if (!this.#isLive) this.#isDue = true;
        this.#refreshIfDue();
        if (!this.#isLive) this.#waitForNext();
      },
      sinceMs < everyMs ? everyMs - sinceMs : everyMs,
    );
  }
}
