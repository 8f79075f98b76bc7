import type { SearchState } from "./search-state.ts";

/** A job to be submitted. */
export interface Trial {
  readonly candidate: number;
  readonly setting: number;
  readonly epochs: number;
  readonly seed: number;
}

/** What a search does next. */
export interface Move {
  readonly state: SearchState;
  readonly submit: readonly Trial[];
  /** Jobs that take too long. */
  readonly cancel: readonly string[];
  /** Jobs whose training ends where it is, so that there is a result. */
  readonly endTraining: readonly string[];
  readonly hasEnded: boolean;
}

export function move(
  state: SearchState,
  { submit = [], cancel = [], endTraining = [] }: Partial<Pick<Move, "submit" | "cancel" | "endTraining">>,
): Move {
  return { state, submit, cancel, endTraining, hasEnded: false };
}
