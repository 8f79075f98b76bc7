import { StepClock, type StepPhase } from "../../packages/gnn-core/src/train/step-clock.ts";

/** CPU seconds of this process, all its threads together. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** A step clock that counts CPU seconds of the process instead of wall time, phase by phase. */
export class CpuClock extends StepClock {
  seconds: Partial<Record<StepPhase, number>> = {};
  #last = cpuSeconds();

  override start(): void {
    this.seconds = {};
    this.#last = cpuSeconds();
  }

  override lap(phase: StepPhase): void {
    const now = cpuSeconds();
    this.seconds[phase] = (this.seconds[phase] ?? 0) + now - this.#last;
    this.#last = now;
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
