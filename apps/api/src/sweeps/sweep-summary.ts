import type { SpreadAnswer } from "@hopwise/contracts";
import type { JobState } from "../generated/prisma/client.ts";
import { type Changes, type Setting, titleOf } from "./settings.ts";

/** What is read of a sweep's job. */
export interface TrialRow {
  readonly id: string;
  readonly setting: number | null;
  readonly seed: number | null;
  readonly state: JobState;
  readonly validation: number | null;
  readonly result: number | null;
}

export interface SettingSummary {
  readonly index: number;
  readonly changes: Changes;
  /** What it is, in words */
  readonly title: string;
  readonly validation: SpreadAnswer | null;
  readonly test: SpreadAnswer | null;
  /** In the order of their seeds */
  readonly trials: readonly TrialRow[];
}

/** What settings are judged by. */
export interface Judge {
  readonly metric: string;
  readonly direction: "max" | "min";
}

/** Each setting with mean and deviation over its jobs that have succeeded. */
export function summariesOf(settings: readonly Setting[], jobs: readonly TrialRow[]): SettingSummary[] {
  return settings.map((each, index) => {
    const trials = jobs.filter(({ setting }) => setting === index).toSorted((a, b) => (a.seed ?? 0) - (b.seed ?? 0));
    const done = trials.filter(({ state }) => state === "SUCCEEDED");
    return {
      index,
      changes: each.changes,
      title: titleOf(each),
      validation: spreadOf(done.map(({ validation }) => validation)),
      test: spreadOf(done.map(({ result }) => result)),
      trials,
    };
  });
}

/** Mean and standard deviation (of the sample, n − 1) of the values that are known; null when none is. */
export function spreadOf(values: readonly (number | null)[]): SpreadAnswer | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: known.length > 1 ? Math.sqrt(squares / (known.length - 1)) : null, count: known.length };
}

/** Compares two values of what settings are judged by: the better one comes first. */
export function bestFirst({ direction }: Judge) {
  return (a: number, b: number) => (direction === "max" ? b - a : a - b);
}
