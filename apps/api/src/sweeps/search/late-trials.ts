import { type Move, move } from "./move.ts";
import { kindOfRound, msAt, plans } from "./round-plan.ts";
import type { Round } from "./search-state.ts";
import { hasResult, type SearchFacts, type SearchTrial } from "./search-trials.ts";

/** So few results decide nothing while there is time for more. */
const fewResults = 3;
/** Share of its bracket's time that a round with few results goes on for beyond its own. */
const extraShare = 0.15;
/** Where no trial has ended by itself, all go on until this share of the bracket's time. */
const lastCall = 0.9;
/** A search that has no result at all is given up after so many times its budget. */
const mostBudgets = 2;

/**
 * What becomes of trials that still run when their round's time is used up: their trainings end where they are, and
 * what they came to counts. Those that go on for long all the same are stopped, as are those that have not begun, once
 * there are results enough to go on with. Where there is none, a round is all that the time suffices for: they end
 * shortly before it is used up.
 *
 * @returns null as long as there is nothing to do but wait
 */
export function moveLate(
  { state, jobs, usedMs }: SearchFacts,
  round: Round,
  open: readonly SearchTrial[],
): Move | null {
  const late = open.filter((job) => job.state !== "CANCELLING");
  const numResults = round.entries.filter(({ setting }) =>
    jobs.some((job) => job.setting === setting && hasResult(job)),
  ).length;
  if (numResults === 0 && usedMs < msAt(state, lastCall)) return null;
  const areEnough = numResults >= Math.min(fewResults, round.entries.length);
  const [idle, running] = [late.filter(hasNotBegun), late.filter((job) => !hasNotBegun(job))];
  const unasked = (areEnough ? running : late).filter(({ desired }) => desired === "RUN");
  const until = msAt(state, Math.min(1, (plans[kindOfRound(state)]?.until ?? 1) + extraShare));
  const isHopeless = usedMs >= mostBudgets * state.budgetSeconds * 1000;
  const isLong = (numResults > 0 && usedMs >= until) || isHopeless;
  const cancel = (isLong ? late : areEnough ? idle : []).map(({ id }) => id);
  const endTraining = isLong ? [] : unasked.map(({ id }) => id);
  return cancel.length + endTraining.length > 0 ? move(state, { cancel, endTraining }) : null;
}

function hasNotBegun({ state }: SearchTrial): boolean {
  return state === "QUEUED";
}
