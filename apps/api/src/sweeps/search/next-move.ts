import { isTerminal } from "@hopwise/contracts";
import { moveLate } from "./late-trials.ts";
import { type Move, move, type Trial } from "./move.ts";
import { firstFreeSetting, nextRound } from "./next-round.ts";
import { kindOfRound, msAt, plans } from "./round-plan.ts";
import type { Round } from "./search-state.ts";
import { medianMs, type SearchFacts } from "./search-trials.ts";

/**
 * The next move of a successive halving (Jamieson and Talwalkar 2016, arXiv:1502.07943): each round keeps a third of
 * the candidates, by their mean on the validation set, and gives each more epochs and seeds. Time that is left goes to
 * candidates that have not been tried, in a further bracket of rounds (Li et al. 2018, arXiv:1603.06560). It depends on
 * what is given alone, so that whoever goes on with a search does what the one before would have done.
 *
 * @returns null as long as there is nothing to do but wait
 */
export function nextMove(facts: SearchFacts): Move | null {
  const { state, jobs, usedMs } = facts;
  const kind = kindOfRound(state);
  const plan = plans[kind];
  const round = state.rounds.at(-1);
  if (!plan || !round) throw new Error(`A bracket has 1 to ${plans.length} rounds; this one has ${kind + 1}.`);
  const isOver = usedMs >= msAt(state, plan.until);
  const open = jobs.filter((job) => !isTerminal(job.state));
  if (kind === 0 && !isOver) {
    const next = nextCandidates(facts, round, open.length);
    if (next) return next;
  }
  if (open.length > 0) return isOver ? moveLate(facts, round, open) : null;
  return nextRound(facts, round);
}

/** More candidates, as long as the round's time is likely to suffice for one more. */
function nextCandidates({ state, jobs, usedMs }: SearchFacts, round: Round, numOpen: number): Move | null {
  const free = Math.min(state.atOnce - numOpen, state.candidates.length - state.numTried);
  if (free <= 0 || usedMs + medianMs(jobs) / 2 > msAt(state, plans[0].until)) return null;
  const firstSetting = firstFreeSetting(state.rounds);
  const submit = Array.from({ length: free }, (_, i): Trial => {
    const candidate = state.numTried + i;
    const epochs = state.candidates[candidate]?.firstEpochs ?? 1;
    return { candidate, setting: firstSetting + i, epochs, seed: state.firstSeed };
  });
  const entries = [...round.entries, ...submit.map(({ candidate, setting }) => ({ candidate, setting }))];
  const rounds = [...state.rounds.slice(0, -1), { ...round, entries }];
  return move({ ...state, usedMs, numTried: state.numTried + free, rounds }, { submit });
}
