import { z } from "zod";

export const jobState = z.enum([
  "QUEUED",
  "RUNNING",
  "PAUSING",
  "PAUSED",
  "CANCELLING",
  "CANCELLED",
  "SUCCEEDED",
  "FAILED",
]);
export type JobState = z.infer<typeof jobState>;

/** The states that a job ends in; it leaves none of them. */
export const terminalJobStates = ["SUCCEEDED", "FAILED", "CANCELLED"] as const satisfies readonly JobState[];

/** Whether a job in this state has ended. */
export function isTerminal(state: string): boolean {
  return terminalJobStates.some((terminal) => terminal === state);
}

export const stageState = z.enum(["PENDING", "QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]);
export type StageState = z.infer<typeof stageState>;
