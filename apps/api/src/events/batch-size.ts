const smallest = 512;
const largest = 4096;

/**
 * How many events one transaction takes, so that it lasts about `targetMs`: large ones cost less per event, but
 * everybody else waits for them.
 */
export class BatchSize {
  readonly #targetMs: number;
  #size = 1024;

  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  get events(): number {
    return this.#size;
  }

  /** A transaction of so many events took so long. Small ones say nothing about large ones. */
  note(events: number, ms: number): void {
    if (events < this.#size / 2) return;
    const factor = Math.min(1.5, Math.max(0.5, this.#targetMs / Math.max(ms, 1)));
    this.#size = Math.round(Math.min(largest, Math.max(smallest, this.#size * factor)));
  }
}
