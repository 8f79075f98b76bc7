import type { Advice } from "../best-setting.ts";
import { type SearchState, searchOf } from "./search-state.ts";

/** What a search knows of its settings beside their figures: the order of its proposals, and the rows that judge. */
export function adviceOf({ rounds, numRows, numFolds }: SearchState): Advice {
  const places = new Map(
    rounds.flatMap(({ entries }) => entries.map(({ setting, candidate }) => [setting, candidate] as const)),
  );
  return {
    placeOf: (setting) => places.get(setting) ?? null,
    // Seeds are judged by the same rows, unless each has a fold of its own.
    numRows: (numSeeds) => (numRows === null ? null : numRows * Math.min(numSeeds, numFolds)),
  };
}

/** That of a stored sweep; null: it is a grid, whose settings are in no order of advice. */
export function adviceOfSweep(sweep: { readonly search: unknown }): Advice | null {
  const state = searchOf(sweep);
  return state && adviceOf(state);
}
