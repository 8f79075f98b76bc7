import { type Aim, untaught } from "./row.ts";

export interface Verdict {
  /** What the mean must reach, a share */
  readonly aim: number;
  /** Points above it; below 0: missed */
  readonly margin: number;
  readonly reached: boolean;
}

/**
 * Holds a mean to its aim.
 *
 * @param meanOf mean test metric of another row, or of a baseline that is none on the same data
 */
export function judge(mean: number, aim: Aim, meanOf: (name: string) => number): Verdict {
  const needed = aimOf(aim, meanOf);
  const margin = 100 * (mean - needed);
  return { aim: needed, margin, reached: margin >= 0 };
}

function aimOf(aim: Aim, meanOf: (name: string) => number): number {
  if ("atLeast" in aim) return aim.atLeast;
  if ("of" in aim) return meanOf(aim.of) - aim.within;
  return Math.max(...aim.baselines.map(meanOf)) + aim.above;
}

/** In words, for the table */
export function describeAim(aim: Aim): string {
  const points = (share: number) => `${Number((100 * share).toFixed(2))} points`;
  if ("atLeast" in aim) return `at least ${Number((100 * aim.atLeast).toFixed(2))}`;
  if ("of" in aim) return `within ${points(aim.within)} of ${aim.of}`;
  const names = aim.baselines.map((name) => untaught.get(name) ?? name);
  return `${points(aim.above)} above ${names.join(" and ")}`;
}

/** Mean and standard deviation of a sample. */
export function spreadOf(values: readonly number[]): { mean: number; std: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, std: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}
