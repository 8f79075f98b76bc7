import { errorOfShare } from "../best-setting.ts";
import { adviceOf } from "./advice.ts";
import { hasResult, type Ranked, type SearchFacts } from "./search-trials.ts";

/**
 * The best first, but for the most advisable of those that the validation rows cannot tell from the best one, which
 * comes before it: where there is time for one alone, it is that one.
 *
 * @param ranked the best first; candidates are counted in the order in which they are advised
 */
export function advisableFirst({ state, jobs }: SearchFacts, ranked: readonly Ranked[]): readonly Ranked[] {
  const [best] = ranked;
  if (!best) return ranked;
  const numSeeds = jobs.filter((job) => job.setting === best.setting && hasResult(job)).length;
  const numRows = adviceOf(state).numRows(numSeeds);
  const error = numRows === null ? null : errorOfShare(best.mean, numRows);
  if (error === null) return ranked;
  const near = ranked.filter(({ mean }) => Math.abs(mean - best.mean) <= error);
  const [first = best] = near.toSorted((a, b) => a.candidate - b.candidate);
  return [first, ...ranked.filter((each) => each !== first)];
}
