import type { StepEvent } from "@hopwise/gnn-core/spec";

const periodMs = 250;

/**
 * Thins what a later event replaces: of `progress`, and of `rank` per rank, at most four a second go on, and the
 * newest always does in the end. Everything else passes unchanged, after what was held back before it.
 */
export class ProgressThrottle {
  readonly #forward: (event: StepEvent) => void;
  readonly #held = new Map<string, StepEvent>();
  readonly #sentAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(forward: (event: StepEvent) => void) {
    this.#forward = forward;
  }

  push(event: StepEvent): void {
    const slot = slotOf(event);
    if (slot === null) {
      this.flush();
      this.#forward(event);
      return;
    }
    const isLast = event.type === "progress" && event.completed === event.total;
    if (!isLast && Date.now() - (this.#sentAt.get(slot) ?? 0) < periodMs) {
      this.#held.set(slot, event);
      this.#timer ??= setTimeout(() => this.flush(), periodMs);
      return;
    }
    this.#held.delete(slot);
    this.#send(slot, event);
  }

  /** Sends what is held back; call it before the end of a stage. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [slot, event] of this.#held) this.#send(slot, event);
    this.#held.clear();
  }

  #send(slot: string, event: StepEvent): void {
    this.#sentAt.set(slot, Date.now());
    this.#forward(event);
  }
}

function slotOf(event: StepEvent): string | null {
  if (event.type === "progress") return `progress ${event.phase}`;
  return event.type === "rank" ? `rank ${event.rank}` : null;
}
