import { type Move, move } from "./move.ts";
import { kindOfRound, msAt, plans } from "./round-plan.ts";
import type { Round } from "./search-state.ts";
import { hasResult, type SearchFacts, type SearchTrial } from "./search-trials.ts";

/** So few results decide nothing while there is time for more. */
const fewResults = 3;
/** Share of its bracket's time that a round with few results goes on for beyond its own. */
const extraShare = 0.15;
/** Where no trial of a round has ended by itself, all go on until this share of the bracket's time, or as follows. */
const lastCall = 0.8;
/** From where it is known what comes behind a training, all go on until so many times that before the end. */
const tails = 1.25;
/** No training is ended before this share of the bracket's time for what comes behind it. */
const earliestCall = 0.5;
/** Until the end of a trial is noticed, and a wish reaches its ranks */
const lookMs = 3000;
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
  if (numResults === 0 && usedMs < lastCallMs({ state, jobs })) return null;
  const areEnough = numResults >= Math.min(fewResults, round.entries.length);
  const [idle, running] = [late.filter(hasNotBegun), late.filter((job) => !hasNotBegun(job))];
  const unasked = (areEnough ? running : late).filter(({ desired }) => desired === "RUN");
  const until = msAt(state, Math.min(1, (plans[kindOfRound(state)]?.until ?? 1) + extraShare));
  const budgetMs = state.budgetSeconds * 1000;
  // Another round's result will do once the time is up.
  const isOver = usedMs >= budgetMs && jobs.some(hasResult);
  const isLong = (numResults > 0 && usedMs >= until) || isOver || usedMs >= mostBudgets * budgetMs;
  const cancel = (isLong ? late : areEnough ? idle : []).map(({ id }) => id);
  const endTraining = isLong ? [] : unasked.map(({ id }) => id);
  return cancel.length + endTraining.length > 0 ? move(state, { cancel, endTraining }) : null;
}

/** When trainings are ended, so that what comes behind them ends in time: as long before it as that took others. */
function lastCallMs({ state, jobs }: Pick<SearchFacts, "state" | "jobs">): number {
  const known = jobs.flatMap(({ trainedAt, finishedAt, state: ended }) =>
    ended === "SUCCEEDED" && trainedAt && finishedAt ? [finishedAt.getTime() - trainedAt.getTime()] : [],
  );
  if (known.length === 0) return msAt(state, lastCall);
  return Math.max(msAt(state, earliestCall), msAt(state, 1) - tails * Math.max(...known) - lookMs);
}

function hasNotBegun({ state }: SearchTrial): boolean {
  return state === "QUEUED";
}
