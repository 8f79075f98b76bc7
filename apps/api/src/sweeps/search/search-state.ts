import { z } from "zod";

const count = z.number().int().nonnegative();

const candidate = z.object({
  /** What it is, in words: the preset, and what is changed of it. */
  title: z.string(),
  /** Laid over the spec; without the number of epochs. */
  changes: z.record(z.string(), z.unknown()),
  /** Epochs of the first round, and of all others. */
  firstEpochs: count,
  epochs: count,
});
export type Candidate = z.infer<typeof candidate>;

/** A candidate in a round, and which of the sweep's settings its jobs have. */
const entry = z.object({ candidate: count, setting: count });
export type Entry = z.infer<typeof entry>;

const round = z.object({ entries: z.array(entry), numSeeds: count });
export type Round = z.infer<typeof round>;

/** A run through all kinds of rounds. A search has a further one where time is left and something untried. */
const bracket = z.object({
  /** Index of its first round */
  firstRound: count,
  /** Time used when it began */
  fromMs: z.number(),
});

/** How far a search is. With the sweep's jobs it says all: whoever reads it can go on with it. */
export const searchState = z.object({
  budgetSeconds: z.number(),
  /** Jobs of it that are unfinished at once. */
  atOnce: count,
  firstSeed: count,
  /** Each seed is judged by another of so many shares of the training rows; 1: all by the same validation rows. */
  numFolds: count.default(1),
  /** Rows that a trial is judged by; null: they are not counted */
  numRows: count.nullable().default(null),
  /** In the order in which they are tried. */
  candidates: z.array(candidate),
  /** How many of them have been tried. */
  numTried: count,
  /** The last one is in progress. */
  rounds: z.array(round),
  /** The last one; those before it are over. */
  bracket: bracket.default({ firstRound: 0, fromMs: 0 }),
  /** Time in which trials ran, up to the last decision. */
  usedMs: z.number(),
  /** What was decided, in words. */
  decisions: z.array(z.string()),
});
export type SearchState = z.infer<typeof searchState>;

/** The search of a stored sweep; null: it is a grid. */
export function searchOf({ search }: { readonly search: unknown }): SearchState | null {
  return searchState.nullable().parse(search ?? null);
}
