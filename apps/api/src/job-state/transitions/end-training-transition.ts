import type { JobRun } from "../job-run.ts";

/** A wish for the end of a training, which its worker is told; who wants the job cancelled wants more than that. */
export function requestTrainingEnd(run: JobRun): void {
  if (run.job.desired === "RUN") run.changeJob({ desired: "END_TRAINING" });
}
