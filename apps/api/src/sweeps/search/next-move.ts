import { isTerminal } from "@hopwise/contracts";
import { bestFirst, type Judge, spreadOf, type TrialRow } from "../sweep-summary.ts";
import type { Entry, Round, SearchState } from "./search-state.ts";
import { endWords, roundWords } from "./search-words.ts";

/** A job of the search, with when it ran. */
export interface SearchTrial extends TrialRow {
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A job to be submitted. */
export interface Trial {
  readonly candidate: number;
  readonly setting: number;
  readonly epochs: number;
  readonly seed: number;
}

/** What a search does next. */
export interface Move {
  readonly state: SearchState;
  readonly submit: readonly Trial[];
  /** Jobs that take too long. */
  readonly cancel: readonly string[];
  readonly hasEnded: boolean;
}

export interface SearchFacts {
  readonly state: SearchState;
  readonly jobs: readonly SearchTrial[];
  /** Time in which trials ran, until now. */
  readonly usedMs: number;
  readonly judge: Judge;
}

/** Shares of the budget until which each round goes on: many candidates once, some thrice, the best few five times. */
const rounds = [
  { until: 0.45, keep: 1, most: Number.POSITIVE_INFINITY, numSeeds: 1 },
  { until: 0.75, keep: 1 / 3, most: 8, numSeeds: 3 },
  { until: 1, keep: 1 / 3, most: 3, numSeeds: 5 },
] as const;

/**
 * The next move of a successive halving (Jamieson and Talwalkar 2016, arXiv:1502.07943): each round keeps a third of
 * the candidates, by their mean on the validation set, and gives each more epochs and seeds. It depends on what is
 * given alone, so that whoever goes on with a search does what the one before would have done.
 *
 * @returns null as long as there is nothing to do but wait
 */
export function nextMove(facts: SearchFacts): Move | null {
  const { state, jobs, usedMs } = facts;
  const index = state.rounds.length - 1;
  const plan = rounds[index];
  const round = state.rounds[index];
  if (!plan || !round) throw new Error(`A search has 1 to ${rounds.length} rounds; this one has ${index + 1}.`);
  const isOver = usedMs >= plan.until * state.budgetSeconds * 1000;
  const open = jobs.filter((job) => !isTerminal(job.state));
  if (index === 0 && !isOver) {
    const next = nextCandidates(facts, open.length);
    if (next) return next;
  }
  if (open.length > 0) return isOver ? stopLate(facts, round, open) : null;
  return nextRound(facts, round, index);
}

/** More candidates, as long as the round's time is likely to suffice for one more. */
function nextCandidates({ state, jobs, usedMs }: SearchFacts, numOpen: number): Move | null {
  const [round] = state.rounds;
  const free = Math.min(state.atOnce - numOpen, state.candidates.length - state.numTried);
  if (!round || free <= 0) return null;
  const share = rounds[0].until * state.budgetSeconds * 1000;
  if (usedMs + medianMs(jobs) / 2 > share) return null;
  const submit = Array.from({ length: free }, (_, i): Trial => {
    const candidate = state.numTried + i;
    const epochs = state.candidates[candidate]?.firstEpochs ?? 1;
    return { candidate, setting: round.entries.length + i, epochs, seed: state.firstSeed };
  });
  const entries = [...round.entries, ...submit.map(({ candidate, setting }) => ({ candidate, setting }))];
  const numTried = state.numTried + free;
  return move({ ...state, usedMs, numTried, rounds: [{ ...round, entries }] }, { submit });
}

/** Half of the trials that have ended were shorter; 0 before the first. */
function medianMs(jobs: readonly SearchTrial[]): number {
  const durations = jobs
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt && finishedAt ? [finishedAt.getTime() - startedAt.getTime()] : [],
    )
    .toSorted((a, b) => a - b);
  return durations[Math.floor(durations.length / 2)] ?? 0;
}

/** So few results decide nothing while there is time for more. */
const fewResults = 3;
/** Share of the budget that a round with few results goes on for beyond its own. */
const extraShare = 0.15;

/** A round whose time is used up stops what still runs, once it has something to go on with. */
function stopLate({ state, jobs, usedMs }: SearchFacts, round: Round, open: readonly SearchTrial[]): Move | null {
  const late = open.filter((job) => job.state !== "CANCELLING");
  const withResult = round.entries.filter(({ setting }) =>
    jobs.some((job) => job.setting === setting && hasResult(job)),
  );
  if (late.length === 0 || withResult.length === 0) return null;
  const until = Math.min(1, (rounds[state.rounds.length - 1]?.until ?? 1) + extraShare) * state.budgetSeconds * 1000;
  if (withResult.length < Math.min(fewResults, round.entries.length) && usedMs < until) return null;
  return move(state, { cancel: late.map(({ id }) => id) });
}

function nextRound(facts: SearchFacts, round: Round, index: number): Move {
  const { state, jobs, usedMs, judge } = facts;
  const ranked = rankedEntries(round, jobs, judge);
  const plan = rounds[index + 1];
  if (!plan || ranked.length === 0 || usedMs >= state.budgetSeconds * 1000) return end(facts, ranked.length > 0);
  const wanted = Math.min(plan.most, Math.max(2, Math.ceil(ranked.length * plan.keep)));
  const kept = withinTime(facts, ranked.slice(0, wanted), plan);
  const settings = new SettingCounter(state);
  const entries = kept.map(({ candidate, setting }) => {
    const { epochs, firstEpochs } = state.candidates[candidate] ?? { epochs: 1, firstEpochs: 1 };
    // With more epochs it is another setting; with as many, more seeds of the one that is there.
    return { candidate, setting: index === 0 && firstEpochs < epochs ? settings.next() : setting };
  });
  const submit = entries.flatMap(({ candidate, setting }) =>
    missingSeeds({ candidate, setting }, facts, plan.numSeeds),
  );
  const words = roundWords({ state, jobs, round, ranked, kept, judge, index, numSeeds: plan.numSeeds, usedMs });
  const allRounds = [...state.rounds, { entries, numSeeds: plan.numSeeds }];
  const next = { ...state, usedMs, rounds: allRounds, decisions: [...state.decisions, words] };
  return move(next, { submit });
}

/** The first of them that the round's time suffices for, by how long they took; the best one in any case. */
function withinTime({ state, jobs, usedMs }: SearchFacts, ranked: readonly Ranked[], plan: (typeof rounds)[number]) {
  const room = Math.max(0, plan.until * state.budgetSeconds * 1000 - usedMs) * state.atOnce;
  let needed = 0;
  return ranked.filter(({ candidate, setting }, i) => {
    const { epochs = 1, firstEpochs = 1 } = state.candidates[candidate] ?? {};
    const own = jobs.filter((job) => job.setting === setting);
    const isLonger = state.rounds.length === 1 && firstEpochs < epochs;
    const numNew = plan.numSeeds - (isLonger ? 0 : own.length);
    needed += numNew * medianMs(own) * (isLonger ? epochs / firstEpochs : 1);
    return i === 0 || needed <= room;
  });
}

function missingSeeds({ candidate, setting }: Entry, { state, jobs }: SearchFacts, numSeeds: number): Trial[] {
  const there = new Set(jobs.flatMap((job) => (job.setting === setting ? [job.seed] : [])));
  const epochs = state.candidates[candidate]?.epochs ?? 1;
  return Array.from({ length: numSeeds }, (_, i) => state.firstSeed + i)
    .filter((seed) => !there.has(seed))
    .map((seed) => ({ candidate, setting, epochs, seed }));
}

/** Numbers of settings that are not used yet. */
class SettingCounter {
  #next: number;

  constructor({ rounds: taken }: SearchState) {
    this.#next = 1 + Math.max(-1, ...taken.flatMap(({ entries }) => entries.map(({ setting }) => setting)));
  }

  next(): number {
    return this.#next++;
  }
}

function end({ state, jobs, usedMs, judge }: SearchFacts, hasBest: boolean): Move {
  const words = endWords({ state, jobs, usedMs, judge, hasBest });
  return { ...move({ ...state, usedMs, decisions: [...state.decisions, words] }, {}), hasEnded: true };
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

function hasResult({ state, validation }: TrialRow): boolean {
  return state === "SUCCEEDED" && validation !== null;
}

function move(state: SearchState, { submit = [], cancel = [] }: Partial<Pick<Move, "submit" | "cancel">>): Move {
  return { state, submit, cancel, hasEnded: false };
}
