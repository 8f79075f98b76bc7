import type { Dice } from "./dice.ts";

export const targetNames = ["rest", "graphql", "specs", "files", "websocket", "formats"] as const;
export type TargetName = (typeof targetNames)[number];

/** What became of one case. */
export interface Outcome {
  /** In a word or two, for the counts: a status, an error code, how a socket was closed */
  readonly kind: string;
  /** What is wrong with it; null: the service took it well. */
  readonly fault: string | null;
}

/**
 * Something that takes input from strangers. A case is data that depends on the dice alone, so that it can be played
 * again.
 */
export interface Target<Case = unknown> {
  readonly name: TargetName;
  generate(dice: Dice): Case;
  run(made: Case): Promise<Outcome>;
}
