import { GnnError } from "../errors/gnn-error.ts";
import type { StepEvent } from "../spec/step-event.ts";

const everyMs = 250;

/** Throttled progress of a step, which also notices that the step was cancelled. */
export class StepProgress {
  readonly #onEvent: (event: StepEvent) => void;
  readonly #signal: AbortSignal;
  #reportedAt = 0;

  constructor({ onEvent, signal }: { onEvent: (event: StepEvent) => void; signal: AbortSignal }) {
    this.#onEvent = onEvent;
    this.#signal = signal;
  }

  /** @throws GnnError CANCELLED */
  report(phase: string, completed: number, total: number | null, unit: string): void {
    if (this.#signal.aborted) throw new GnnError("CANCELLED", `The step was cancelled (${phase}).`);
    const now = performance.now();
    const isLast = completed === total;
    if (!isLast && now - this.#reportedAt < everyMs) return;
    this.#reportedAt = now;
    this.#onEvent({ type: "progress", phase, completed, total, unit });
  }
}
