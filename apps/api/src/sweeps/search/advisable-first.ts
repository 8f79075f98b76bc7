import { errorOfShare } from "../best-setting.ts";
import type { Ranked, SearchFacts } from "./search-trials.ts";

/**
 * The best first, but for the most advisable of those that the validation rows cannot tell from the best one, which
 * comes before it: where there is time for one alone, it is that one.
 *
 * @param ranked the best first; candidates are counted in the order in which they are advised
 */
export function advisableFirst({ state, jobs }: SearchFacts, ranked: readonly Ranked[]): readonly Ranked[] {
  const [best] = ranked;
  if (!best || state.numRows === null) return ranked;
  const numSeeds = jobs.filter(({ setting, validation }) => setting === best.setting && validation !== null).length;
  const error = errorOfShare(best.mean, state.numRows * Math.min(numSeeds, state.numFolds));
  if (error === null) return ranked;
  const near = ranked.filter(({ mean }) => Math.abs(mean - best.mean) <= error);
  const [first = best] = near.toSorted((a, b) => a.candidate - b.candidate);
  return [first, ...ranked.filter((each) => each !== first)];
}
