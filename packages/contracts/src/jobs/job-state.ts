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

export const stageState = z.enum(["PENDING", "QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"]);
export type StageState = z.infer<typeof stageState>;
