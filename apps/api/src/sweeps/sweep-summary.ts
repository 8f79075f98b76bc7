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

export interface BestSetting {
  readonly setting: number;
  readonly jobId: string;
  readonly reason: string;
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

/** A mean of so many seeds may be held to one of more. */
const enoughSeeds = 3;

/**
 * The setting with the best mean on the validation set among those that have been tried with three seeds, or, where
 * none has, with two thirds of the most: one lucky seed does not beat the mean of five. Test nodes choose nothing. Null
 * as long as no job has succeeded.
 */
export function bestOf(summaries: readonly SettingSummary[], judge: Judge): BestSetting | null {
  const most = Math.max(0, ...summaries.map(({ validation }) => validation?.count ?? 0));
  const needed = Math.min(enoughSeeds, (2 * most) / 3);
  const ranked = summaries
    .flatMap((summary) =>
      summary.validation && summary.validation.count >= needed ? [{ ...summary, mean: summary.validation.mean }] : [],
    )
    .toSorted((a, b) => bestFirst(judge)(a.mean, b.mean));
  const [best, second] = ranked;
  if (!best) return null;
  const jobId = bestTrial(best, judge);
  if (jobId === null) return null;
  return { setting: best.index, jobId, reason: reasonFor(best, second ?? null, summaries.length, judge) };
}

function bestTrial({ trials }: SettingSummary, judge: Judge): string | null {
  const done = trials.flatMap(({ id, state, validation }) =>
    state === "SUCCEEDED" && validation !== null ? [{ id, validation }] : [],
  );
  return done.toSorted((a, b) => bestFirst(judge)(a.validation, b.validation))[0]?.id ?? null;
}

/** Compares two values of what settings are judged by: the better one comes first. */
export function bestFirst({ direction }: Judge) {
  return (a: number, b: number) => (direction === "max" ? b - a : a - b);
}

function reasonFor(
  best: SettingSummary,
  second: SettingSummary | null,
  numSettings: number,
  { metric }: Judge,
): string {
  const shown = best.title || "the spec as it was sent";
  const over = best.validation?.count === 1 ? "one seed" : `${best.validation?.count} seeds`;
  const figure = `${spreadText(best.validation)} over ${over}`;
  if (numSettings === 1) return `There is one setting, ${shown}: its ${metric} on the validation set is ${figure}.`;
  const first = `The best of ${numSettings} settings by ${metric} on the validation set is ${shown}: ${figure}`;
  if (!second) return `${first}.`;
  const next = `${first}, before ${spreadText(second.validation)} of ${second.title}`;
  return isWithinDeviation(best, second)
    ? `${next}; the two lie within a standard deviation of each other.`
    : `${next}.`;
}

function isWithinDeviation(best: SettingSummary, second: SettingSummary): boolean {
  const [a, b] = [best.validation, second.validation];
  if (!a || !b) return false;
  return Math.abs(a.mean - b.mean) <= Math.max(a.deviation ?? 0, b.deviation ?? 0);
}

/** 0.8123 ± 0.0041 */
function spreadText(spread: SpreadAnswer | null): string {
  if (!spread) return "–";
  const mean = spread.mean.toFixed(4);
  return spread.deviation === null ? mean : `${mean} ± ${spread.deviation.toFixed(4)}`;
}
