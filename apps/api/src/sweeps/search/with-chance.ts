import { spreadOf } from "../sweep-summary.ts";
import { hasResult, type Ranked, rankedEntries, type SearchFacts } from "./search-trials.ts";

/**
 * Those that may still be the best: in a further bracket whoever is not behind the best of the brackets before by more
 * than its deviation over seeds. In the first bracket all are.
 */
export function withChance({ state, jobs, judge }: SearchFacts, ranked: readonly Ranked[]): readonly Ranked[] {
  const earlier = state.rounds.slice(0, state.bracket.firstRound);
  const entries = earlier.flatMap((round) => (round.numSeeds > 1 ? round.entries : []));
  const [best] = rankedEntries({ entries, numSeeds: 1 }, jobs, judge);
  if (!best) return ranked;
  const values = jobs.flatMap((job) => (job.setting === best.setting && hasResult(job) ? [job.validation] : []));
  const deviation = spreadOf(values)?.deviation ?? 0;
  const sign = judge.direction === "max" ? 1 : -1;
  return ranked.filter(({ mean }) => sign * (mean - best.mean) >= -deviation);
}
