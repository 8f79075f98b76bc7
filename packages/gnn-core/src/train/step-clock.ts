import type { StepBreakdown } from "../spec/step-event.ts";

export type StepPhase = keyof StepBreakdown;

const reportIntervalMs = 500;

/** Milliseconds spent in each phase of the steps since the last report; a lap ends a phase. */
export class StepClock {
  #laps = newLaps();
  #last = performance.now();
  #numSteps = 0;
  #numSeeds = 0;
  #lappedMs = 0;
  #since = performance.now();

  /** Phases that begin now are measured from here. */
  start(): void {
    this.#last = performance.now();
  }

  /** Everything since the last lap (or start) was `phase`. */
  lap(phase: StepPhase): void {
    const now = performance.now();
    this.#laps[phase] += now - this.#last;
    this.#lappedMs += now - this.#last;
    this.#last = now;
  }

  /** Adds time that was spent elsewhere, such as on a sampler thread. */
  add(phase: StepPhase, durationMs: number): void {
    this.#laps[phase] += durationMs;
  }

  endStep(numSeeds: number): void {
    this.#numSteps += 1;
    this.#numSeeds += numSeeds;
  }

  /** Half a second has passed since the last report. */
  get isDue(): boolean {
    return performance.now() - this.#since >= reportIntervalMs;
  }

  /**
   * Means per step and seeds per second of training (evaluations left out) since the last report; then from zero again.
   */
  report(): { seedsPerSecond: number | null; breakdown: StepBreakdown | null } {
    const laps = this.#laps;
    const lappedMs = this.#lappedMs;
    const numSteps = this.#numSteps;
    const numSeeds = this.#numSeeds;
    this.#laps = newLaps();
    this.#lappedMs = 0;
    this.#numSteps = 0;
    this.#numSeeds = 0;
    this.#since = performance.now();
    if (numSteps === 0) return { seedsPerSecond: null, breakdown: null };
    for (const phase of Object.keys(laps) as StepPhase[]) laps[phase] /= numSteps;
    return { seedsPerSecond: (numSeeds / lappedMs) * 1000, breakdown: laps };
  }
}

function newLaps(): StepBreakdown {
  return { sample: 0, gather: 0, forward: 0, backward: 0, allReduce: 0, optimizer: 0, wait: 0 };
}
