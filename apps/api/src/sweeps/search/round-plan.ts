import type { SearchState } from "./search-state.ts";

export interface RoundPlan {
  /** Share of the bracket's time until which it goes on */
  readonly until: number;
  /** Share of the candidates before it that it keeps, and how many at most */
  readonly keep: number;
  readonly most: number;
  readonly numSeeds: number;
}

/** Many candidates once, some thrice, the best few five times. */
export const plans: readonly [RoundPlan, RoundPlan, RoundPlan] = [
  { until: 0.45, keep: 1, most: Number.POSITIVE_INFINITY, numSeeds: 1 },
  { until: 0.75, keep: 1 / 3, most: 8, numSeeds: 3 },
  { until: 1, keep: 1 / 3, most: 3, numSeeds: 5 },
];

/** Which kind of round the last one is, from 0. */
export function kindOfRound({ rounds, bracket }: SearchState): number {
  return rounds.length - 1 - bracket.firstRound;
}

/** Used time at which a share of the bracket's time is over. */
export function msAt({ budgetSeconds, bracket: { fromMs } }: SearchState, share: number): number {
  return fromMs + share * (budgetSeconds * 1000 - fromMs);
}
