import type { Judge, TrialRow } from "../sweep-summary.ts";
import type { Round, SearchState } from "./search-state.ts";
import { hasResult, type Ranked, type SearchTrial } from "./search-trials.ts";

interface RoundFacts {
  readonly state: SearchState;
  readonly jobs: readonly SearchTrial[];
  readonly round: Round;
  /** Candidates that have a result, the best first */
  readonly ranked: readonly Ranked[];
  /** Those that go on */
  readonly kept: readonly Ranked[];
  readonly judge: Judge;
  /** Which kind of round has ended, from 0 */
  readonly kind: number;
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
export function roundWords({ state, jobs, round, ranked, kept, judge, kind, numSeeds, usedMs }: RoundFacts): string {
  const titles = kept.map(({ candidate, mean }) => `${state.candidates[candidate]?.title} (${mean.toFixed(4)})`);
  const settings = new Set(round.entries.map(({ setting }) => setting));
  const own = jobs.filter(({ setting }) => setting !== null && settings.has(setting));
  const lost = [
    [own.filter(isEndedEarly).length, "ended early"],
    [own.filter((job) => job.state === "CANCELLED").length, "stopped, as the round's time was used up"],
    [own.filter((job) => job.state === "FAILED").length, "failed"],
  ] as const;
  const notes = lost.flatMap(([count, what]) => (count > 0 ? [`, ${counted(count, "trial")} ${what}`] : []));
  const untried =
    kind === 0 && state.numTried < state.candidates.length
      ? `; ${state.candidates.length - state.numTried} are not tried yet, for want of time`
      : "";
  return `Round ${state.rounds.length}, after ${timeText(usedMs)}: ${ranked.length} of ${counted(round.entries.length, "setting")} with a result${notes.join("")}${untried}. By ${judge.metric} on the validation set these go on, each with ${numSeeds} seeds: ${titles.join("; ")}.`;
}

function isEndedEarly(trial: SearchTrial): boolean {
  return trial.desired === "END_TRAINING" && hasResult(trial);
}

/** Why a search that has been through its rounds goes on. */
export function bracketWords({ candidates, numTried, rounds }: SearchState, usedMs: number, best?: string): string {
  const order = best === undefined ? "" : `, those first that are like ${best}`;
  const left = counted(candidates.length - numTried, "setting");
  return `Round ${rounds.length}, after ${timeText(usedMs)}: there is time left for more of the ${left} that had none${order}.`;
}

interface EndFacts {
  readonly state: SearchState;
  readonly jobs: readonly TrialRow[];
  readonly usedMs: number;
  readonly judge: Judge;
}

/** Why a search has ended. */
export function endWords({ state, jobs, usedMs, judge }: EndFacts): string {
  if (!jobs.some(hasResult)) return nothingFound(jobs, judge, usedMs);
  const left = state.budgetSeconds * 1000 - usedMs;
  const rest = left > 1000 ? `, ${timeText(left)} before its time was up` : ", as its time was up";
  return `The search has ended after ${timeText(usedMs)} and ${counted(jobs.length, "trial")}${rest}.`;
}

/** What succeeded without a figure had no validation set. */
function nothingFound(jobs: readonly TrialRow[], { metric }: Judge, usedMs: number): string {
  const succeeded = jobs.filter((job) => job.state === "SUCCEEDED").length;
  if (jobs.every((job) => job.state === "CANCELLED")) {
    return `No trial of ${jobs.length} had come to a result after ${timeText(usedMs)}; give the search more time, or cheaper settings.`;
  }
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
