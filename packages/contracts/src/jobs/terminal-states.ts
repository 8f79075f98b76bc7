import type { JobState } from "./job-state.ts";

// A file of its own that imports no value: the dashboard reads it without the schemas of the contract.

/** The states that a job ends in; it leaves none of them. A stage that was begun ends in the same. */
export const terminalJobStates = ["SUCCEEDED", "FAILED", "CANCELLED"] as const satisfies readonly JobState[];

/** Whether a job in this state has ended. */
export function isTerminal(state: string): boolean {
  return terminalJobStates.some((terminal) => terminal === state);
}
