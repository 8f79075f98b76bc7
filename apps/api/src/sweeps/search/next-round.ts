import { advisableFirst } from "./advisable-first.ts";
import { type Move, move, type Trial } from "./move.ts";
import { startBracket } from "./next-bracket.ts";
import { kindOfRound, msAt, plans, type RoundPlan } from "./round-plan.ts";
import type { Entry, Round, SearchState } from "./search-state.ts";
import { medianMs, type Ranked, rankedEntries, type SearchFacts } from "./search-trials.ts";
import { endWords, roundWords } from "./search-words.ts";
import { withChance } from "./with-chance.ts";

/** The round after one whose trials have all ended: the next of its bracket, a further bracket, or the end. */
export function nextRound(facts: SearchFacts, round: Round): Move {
  const { state, jobs, usedMs, judge } = facts;
  const kind = kindOfRound(state);
  const ranked = rankedEntries(round, jobs, judge);
  if (usedMs >= state.budgetSeconds * 1000 || !hasTimeFor(facts, ranked[0])) return end(facts);
  const plan = plans[kind + 1];
  const able = advisableFirst(facts, withChance(facts, ranked));
  if (!plan || able.length === 0) return startBracket(facts) ?? end(facts);
  const wanted = Math.min(plan.most, Math.max(2, Math.ceil(ranked.length * plan.keep)));
  const { kept, numSeeds } = survivors(facts, able.slice(0, wanted), plan);
  const settings = new SettingCounter(state);
  const entries = kept.map(({ candidate, setting }) => {
    const { epochs, firstEpochs } = state.candidates[candidate] ?? { epochs: 1, firstEpochs: 1 };
    // With more epochs it is another setting; with as many, more seeds of the one that is there.
    return { candidate, setting: kind === 0 && firstEpochs < epochs ? settings.next() : setting };
  });
  const submit = entries.flatMap((entry) => missingSeeds(entry, facts, numSeeds));
  const words = roundWords({ state, jobs, round, ranked, kept, judge, kind, numSeeds, usedMs });
  const rounds = [...state.rounds, { entries, numSeeds }];
  const next = { ...state, usedMs, rounds, decisions: [...state.decisions, words] };
  return move(next, { submit });
}

/** Whether what is left suffices for one more trial like the best one so far. */
function hasTimeFor({ state, jobs, usedMs }: SearchFacts, best: Ranked | undefined): boolean {
  const own = jobs.filter((job) => job.setting === best?.setting);
  return state.budgetSeconds * 1000 - usedMs >= medianMs(own);
}

/**
 * Who goes on, and with how many seeds: those that the round's time suffices for. Where it suffices for the best one
 * alone and the second is nearly as good, both go on with fewer seeds, if there is time for two: what one seed says of
 * the order of such two is chance.
 */
function survivors(facts: SearchFacts, ranked: readonly Ranked[], plan: RoundPlan) {
  const [best, second] = ranked;
  const kept = withinTime(facts, ranked, plan);
  if (kept.length > 1 || !best || !second || !isNearlyAsGood(best, second)) return { kept, numSeeds: plan.numSeeds };
  for (let numSeeds = plan.numSeeds - 1; numSeeds > 1; numSeeds--) {
    const both = withinTime(facts, [best, second], { ...plan, numSeeds });
    if (both.length > 1 && both.some((entry) => missingSeeds(entry, facts, numSeeds).length > 0)) {
      return { kept: both, numSeeds };
    }
  }
  return { kept, numSeeds: plan.numSeeds };
}

/** Share of a figure by which seeds of one setting commonly differ. */
const commonDeviation = 0.03;

function isNearlyAsGood(best: Ranked, second: Ranked): boolean {
  return Math.abs(best.mean - second.mean) <= commonDeviation * Math.abs(best.mean);
}

/** The first of them that the round's time suffices for, by how long they took; the best one in any case. */
function withinTime({ state, jobs, usedMs }: SearchFacts, ranked: readonly Ranked[], plan: RoundPlan) {
  const room = Math.max(0, msAt(state, plan.until) - usedMs) * state.atOnce;
  let needed = 0;
  return ranked.filter(({ candidate, setting }, i) => {
    const { epochs = 1, firstEpochs = 1 } = state.candidates[candidate] ?? {};
    const own = jobs.filter((job) => job.setting === setting);
    const isLonger = kindOfRound(state) === 0 && firstEpochs < epochs;
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

  constructor({ rounds }: SearchState) {
    this.#next = firstFreeSetting(rounds);
  }

  next(): number {
    return this.#next++;
  }
}

/** The number that the next new setting gets. */
export function firstFreeSetting(rounds: readonly Round[]): number {
  return 1 + Math.max(-1, ...rounds.flatMap(({ entries }) => entries.map(({ setting }) => setting)));
}

function end({ state, jobs, usedMs, judge }: SearchFacts): Move {
  const words = endWords({ state, jobs, usedMs, judge });
  return { ...move({ ...state, usedMs, decisions: [...state.decisions, words] }, {}), hasEnded: true };
}
