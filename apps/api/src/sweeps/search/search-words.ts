import type { Judge, TrialRow } from "../sweep-summary.ts";
import type { Ranked } from "./next-move.ts";
import type { Round, SearchState } from "./search-state.ts";

interface RoundFacts {
  readonly state: SearchState;
  readonly jobs: readonly TrialRow[];
  readonly round: Round;
  /** Candidates that have a result, the best first */
  readonly ranked: readonly Ranked[];
  /** Those that go on */
  readonly kept: readonly Ranked[];
  readonly judge: Judge;
  /** Number of the round that has ended, from 0 */
  readonly index: number;
  /** Seeds of each setting in the round that begins */
  readonly numSeeds: number;
  readonly usedMs: number;
}

/** What a search begins with. */
export function startWords(reason: string, { candidates, budgetSeconds, atOnce }: SearchState): string {
  const jobs = atOnce === 1 ? "one job" : `${atOnce} jobs`;
  return `${reason} ${counted(candidates.length, "setting")} can be tried in ${timeText(budgetSeconds * 1000)}, ${jobs} at a time, beginning with those that suit such a graph.`;
}

/** What a round came to, and what goes on into the next. */
export function roundWords({ state, jobs, round, ranked, kept, judge, index, numSeeds, usedMs }: RoundFacts): string {
  const titles = kept.map(({ candidate, mean }) => `${state.candidates[candidate]?.title} (${mean.toFixed(4)})`);
  const settings = new Set(round.entries.map(({ setting }) => setting));
  const own = jobs.filter(({ setting }) => setting !== null && settings.has(setting));
  const lost = [
    [own.filter((job) => job.state === "CANCELLED").length, "stopped, as the round's time was used up"],
    [own.filter((job) => job.state === "FAILED").length, "failed"],
  ] as const;
  const notes = lost.flatMap(([count, what]) => (count > 0 ? [`, ${counted(count, "trial")} ${what}`] : []));
  const untried =
    index === 0 && state.numTried < state.candidates.length
      ? `; ${state.candidates.length - state.numTried} were not tried for want of time`
      : "";
  return `Round ${index + 1}, after ${timeText(usedMs)}: ${ranked.length} of ${counted(round.entries.length, "setting")} with a result${notes.join("")}${untried}. By ${judge.metric} on the validation set these go on, each with ${numSeeds} seeds: ${titles.join("; ")}.`;
}

interface EndFacts {
  readonly state: SearchState;
  readonly jobs: readonly TrialRow[];
  readonly usedMs: number;
  readonly judge: Judge;
  readonly hasBest: boolean;
}

/** Why a search has ended. */
export function endWords({ state, jobs, usedMs, judge, hasBest }: EndFacts): string {
  if (!hasBest) return nothingFound(jobs, judge);
  const left = state.budgetSeconds * 1000 - usedMs;
  const rest = left > 1000 ? `, ${timeText(left)} before its time was up` : ", as its time was up";
  return `The search has ended after ${timeText(usedMs)} and ${counted(jobs.length, "trial")}${rest}.`;
}

/** What succeeded without a figure had no validation set. */
function nothingFound(jobs: readonly TrialRow[], { metric }: Judge): string {
  const succeeded = jobs.filter((job) => job.state === "SUCCEEDED").length;
  if (succeeded === 0) {
    return `No trial of ${jobs.length} has succeeded; the page of each says why. There is nothing to choose from.`;
  }
  return `${counted(succeeded, "trial")} of ${jobs.length} succeeded, but none has ${metric} on a validation set: what the split holds out to choose by has no labels. Give labelled rows the split val, or have the split drawn ("split": {"type": "random"}).`;
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** Two units at most: 1 h 5 min, 12 s. */
function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
