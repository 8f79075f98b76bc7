interface PhaseStart {
  readonly phase: string;
  readonly at: number;
  readonly completed: number;
  /** When the phase was last heard of */
  readonly heardAt: number;
}

/** No phase is silent for longer: a later event has another clock behind it than the one before. */
const leapMs = 3_600_000;

/**
 * Remaining seconds of a stage's phase at the mean speed since the phase was first seen, or the worker's clock was set.
 */
export class EtaEstimator {
  readonly #starts = new Map<string, PhaseStart>();

  /** @returns null until the phase has advanced, or when it has no known end */
  estimate(stageKey: string, phase: string, completed: number, total: number | null, at: Date): number | null {
    const now = at.getTime();
    const start = this.#starts.get(stageKey);
    if (!start || start.phase !== phase || completed < start.completed || hasLeapt(start, now)) {
      this.#starts.set(stageKey, { phase, at: now, completed, heardAt: now });
      return null;
    }
    this.#starts.set(stageKey, { ...start, heardAt: now });
    const done = completed - start.completed;
    if (total === null || done <= 0 || now <= start.at) return null;
    const seconds = ((now - start.at) / 1000) * ((total - completed) / done);
    return Math.max(0, Math.round(seconds * 10) / 10);
  }

  forget(stageKey: string): void {
    this.#starts.delete(stageKey);
  }
}

function hasLeapt({ heardAt }: PhaseStart, now: number): boolean {
  return now < heardAt || now - heardAt > leapMs;
}
