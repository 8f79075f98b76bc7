import { type Move, move } from "./move.ts";
import type { Candidate, SearchState } from "./search-state.ts";
import { medianMs, rankedEntries, type SearchFacts } from "./search-trials.ts";
import { bracketWords } from "./search-words.ts";

/** Trials that a further bracket has room for, or it is not begun: a candidate with three seeds, and one beside it. */
const fewestTrials = 4;

/**
 * Gives the time that is left to candidates that have not been tried, in rounds of their own; those first that are
 * like the best one so far.
 *
 * @returns null when nothing is untried, or too little time is left
 */
export function startBracket({ state, jobs, usedMs, judge }: SearchFacts): Move | null {
  const untried = state.candidates.slice(state.numTried);
  const leftMs = state.budgetSeconds * 1000 - usedMs;
  if (untried.length === 0 || leftMs * state.atOnce < fewestTrials * medianMs(jobs)) return null;
  const entries = state.rounds.flatMap((round) => (round.numSeeds > 1 ? round.entries : []));
  const [best] = rankedEntries({ entries, numSeeds: 1 }, jobs, judge);
  const kin = best ? kinOf(state.candidates, best.candidate) : () => false;
  const ordered = [...untried.filter(kin), ...untried.filter((each) => !kin(each))];
  const words = bracketWords(state, usedMs, best ? state.candidates[best.candidate]?.title : undefined);
  const next: SearchState = {
    ...state,
    usedMs,
    candidates: [...state.candidates.slice(0, state.numTried), ...ordered],
    rounds: [...state.rounds, { entries: [], numSeeds: 1 }],
    bracket: { firstRound: state.rounds.length, fromMs: usedMs },
    decisions: [...state.decisions, words],
  };
  return move(next, {});
}

/** What has the same origin as a candidate: a proposal's title begins those of its variations. */
function kinOf(candidates: readonly Candidate[], index: number): (other: Candidate) => boolean {
  const title = candidates[index]?.title ?? "";
  const origins = candidates.filter((each) => descends(title, each.title)).map((each) => each.title);
  const origin = origins.toSorted((a, b) => a.length - b.length)[0] ?? title;
  return (other) => descends(other.title, origin);
}

function descends(title: string, origin: string): boolean {
  return title === origin || title.startsWith(`${origin}, `);
}
