import type { DesiredJobState } from "../../generated/prisma/client.ts";
import { bestFirst, type Judge, spreadOf, type TrialRow } from "../sweep-summary.ts";
import type { Entry, Round, SearchState } from "./search-state.ts";

/** A job of the search, with when it ran and what was asked of it. */
export interface SearchTrial extends TrialRow {
  readonly desired: DesiredJobState;
  readonly startedAt: Date | null;
  /** When its training had ended; what comes behind it are rows of all nodes and files of them. */
  readonly trainedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** All that the next move depends on. */
export interface SearchFacts {
  readonly state: SearchState;
  readonly jobs: readonly SearchTrial[];
  /** Time in which trials ran, until now. */
  readonly usedMs: number;
  readonly judge: Judge;
}

/** A candidate of a round with what its jobs came to. */
export interface Ranked extends Entry {
  readonly mean: number;
}

/** Those of a round's candidates that have a result, the best first. */
export function rankedEntries(round: Round, jobs: readonly TrialRow[], judge: Judge): Ranked[] {
  return round.entries
    .flatMap((entry) => {
      const done = jobs.filter((job) => job.setting === entry.setting && hasResult(job));
      const spread = spreadOf(done.map(({ validation }) => validation));
      return spread ? [{ ...entry, mean: spread.mean }] : [];
    })
    .toSorted((a, b) => bestFirst(judge)(a.mean, b.mean));
}

export function hasResult({ state, validation }: TrialRow): boolean {
  return state === "SUCCEEDED" && validation !== null;
}

/** Half of the trials that have ended were shorter; 0 before the first. */
export function medianMs(jobs: readonly SearchTrial[]): number {
  const durations = jobs
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt && finishedAt ? [finishedAt.getTime() - startedAt.getTime()] : [],
    )
    .toSorted((a, b) => a - b);
  return durations[Math.floor(durations.length / 2)] ?? 0;
}
