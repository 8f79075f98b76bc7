import type { SpreadAnswer } from "@hopwise/contracts";
import { bestFirst, type Judge, type SettingSummary } from "./sweep-summary.ts";

export interface BestSetting {
  readonly setting: number;
  readonly jobId: string;
  readonly reason: string;
}

/** A mean of so many seeds may be held to one of more. */
const enoughSeeds = 3;

/** What a search knows of its settings beside their figures. */
export interface Advice {
  /** Place of a setting among the proposals, the most advisable first; null: it is none of them */
  readonly placeOf: (setting: number) => number | null;
  /** Rows of which a figure of so many seeds is the mean; null: it is not counted */
  readonly numRows: (numSeeds: number) => number | null;
}

/**
 * The setting with the best mean on the validation set among those that have been tried with three seeds, or, where
 * none has, with two thirds of the most: one lucky seed does not beat the mean of five. Of a search, the most advisable
 * of those that lie within a standard error of the best one: so few rows tell no more (Breiman et al. 1984,
 * Classification and Regression Trees, section 3.4.3). Test nodes choose nothing. Null as long as no job has succeeded.
 *
 * @param advice null: settings have no order but that of their figures
 */
export function bestOf(
  summaries: readonly SettingSummary[],
  judge: Judge,
  advice: Advice | null = null,
): BestSetting | null {
  const most = Math.max(0, ...summaries.map(({ validation }) => validation?.count ?? 0));
  const needed = Math.min(enoughSeeds, (2 * most) / 3);
  const ranked = summaries
    .flatMap((summary) =>
      summary.validation && summary.validation.count >= needed ? [{ ...summary, mean: summary.validation.mean }] : [],
    )
    .toSorted((a, b) => bestFirst(judge)(a.mean, b.mean));
  const [best, second] = ranked;
  if (!best) return null;
  const error = advice && standardError(best.validation, advice);
  const chosen = (advice && error !== null && mostAdvisable(ranked, error, advice)) || best;
  const jobId = bestTrial(chosen, judge);
  if (jobId === null) return null;
  const reason =
    chosen === best
      ? reasonFor(best, second ?? null, summaries.length, judge)
      : reasonOfAdvice(chosen, best, error as number, judge);
  return { setting: chosen.index, jobId, reason };
}

/**
 * How far a mean lies from that of more rows, commonly: √(p (1 − p) / n) of a share p of n rows, which bounds that of
 * any mean of values from 0 to 1; of other figures what the seeds say. null: nothing does.
 */
function standardError(spread: SpreadAnswer | null, { numRows }: Advice): number | null {
  if (!spread) return null;
  const { mean, deviation, count } = spread;
  const rows = numRows(count);
  const ofRows = rows === null ? null : errorOfShare(mean, rows);
  if (ofRows !== null) return ofRows;
  return deviation === null ? null : deviation / Math.sqrt(count);
}

/** √(p (1 − p) / n); null: it is no share of rows. */
export function errorOfShare(share: number, numRows: number): number | null {
  const isShare = numRows > 0 && share >= 0 && share <= 1;
  return isShare ? Math.sqrt((share * (1 - share)) / numRows) : null;
}

type Ranked = SettingSummary & { readonly mean: number };

/** @param ranked the best first */
function mostAdvisable(ranked: readonly Ranked[], error: number, { placeOf }: Advice): Ranked | undefined {
  const near = ranked.filter(({ mean }) => Math.abs(mean - (ranked[0]?.mean ?? mean)) <= error);
  const last = Number.POSITIVE_INFINITY;
  return near.toSorted((a, b) => (placeOf(a.index) ?? last) - (placeOf(b.index) ?? last))[0];
}

function bestTrial({ trials }: SettingSummary, judge: Judge): string | null {
  const done = trials.flatMap(({ id, state, validation }) =>
    state === "SUCCEEDED" && validation !== null ? [{ id, validation }] : [],
  );
  return done.toSorted((a, b) => bestFirst(judge)(a.validation, b.validation))[0]?.id ?? null;
}

function reasonFor(
  best: SettingSummary,
  second: SettingSummary | null,
  numSettings: number,
  { metric }: Judge,
): string {
  const shown = shownTitle(best);
  const over = best.validation?.count === 1 ? "one seed" : `${best.validation?.count} seeds`;
  const figure = `${spreadText(best.validation)} over ${over}`;
  if (numSettings === 1) return `There is one setting, ${shown}: its ${metric} on the validation set is ${figure}.`;
  const first = `The best of ${numSettings} settings by ${metric} on the validation set is ${shown}: ${figure}`;
  if (!second) return `${first}.`;
  const next = `${first}, before ${spreadText(second.validation)} of ${shownTitle(second)}`;
  return isWithinDeviation(best, second)
    ? `${next}; the two lie within a standard deviation of each other.`
    : `${next}.`;
}

function reasonOfAdvice(chosen: SettingSummary, best: SettingSummary, error: number, { metric }: Judge): string {
  const [own, other] = [chosen, best].map(({ validation }) => spreadText(validation));
  return `By ${metric} on the validation set ${shownTitle(chosen)} (${own}) is as good as the best setting, ${shownTitle(best)} (${other}), as far as so few rows can tell: the standard error is ${error.toFixed(4)}. It suits such a graph better.`;
}

function shownTitle({ title }: SettingSummary): string {
  return title || "the spec as it was sent";
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
