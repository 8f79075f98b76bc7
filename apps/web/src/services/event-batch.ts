const batchMs = 100;

/** Gathers what comes one by one and hands it over at most ten times a second. */
export class EventBatch<Event> {
  readonly #flush: (events: readonly Event[]) => void;
  #waiting: Event[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(flush: (events: readonly Event[]) => void) {
    this.#flush = flush;
  }

  add(event: Event): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => {
      const events = this.#waiting;
      this.#timer = undefined;
      this.#waiting = [];
      this.#flush(events);
    }, batchMs);
  }

  /** What waits is dropped. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
