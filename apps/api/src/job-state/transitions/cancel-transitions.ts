import { problemOf } from "@hopwise/contracts";
import type { Stage } from "../../generated/prisma/client.ts";
import type { JobRun } from "../job-run.ts";
import { cancelStage, codeOf, endAttempt, json, moveJob } from "./job-transitions.ts";

/** The user's wish. What nobody runs is cancelled at once, else the worker is told and answers. */
export function requestCancel(run: JobRun, now: Date): void {
  run.changeJob({ desired: "CANCEL" });
  if (run.activeStage === null) endCancelled(run, now);
  else if (run.job.state !== "CANCELLING") moveJob(run, "CANCELLING", now);
}

/** Past its maxDuration: stopped like a cancelled job, but it ends FAILED with this problem. */
export function exceedTimeLimit(run: JobRun, limit: string, now: Date): void {
  const problem = problemOf(
    "JOB_TIME_LIMIT",
    `The job ran longer than its maxDuration of ${limit}; raise resources.maxDuration or train for fewer epochs.`,
    { pointer: "/resources/maxDuration" },
  );
  run.changeJob({ problem: json(problem) });
  requestCancel(run, now);
}

/** Ends a job that was asked to stop and that nobody runs any more. */
export function endCancelled(run: JobRun, at: Date): void {
  for (const stage of run.stages) {
    if (stage.state !== "QUEUED" && stage.state !== "RUNNING") continue;
    cancelStage(run, stage, at);
  }
  const isTimeLimit = codeOf(run.job.problem) === "JOB_TIME_LIMIT";
  endAttempt(run, isTimeLimit ? "FAILED" : "CANCELLED", isTimeLimit ? run.job.problem : null, at);
  moveJob(run, isTimeLimit ? "FAILED" : "CANCELLED", at);
}

/** The worker has stopped the stage, as it was told. */
export function stageCancelled(run: JobRun, stage: Stage, at: Date): void {
  run.memberOutcome = "FINISHED";
  cancelStage(run, stage, at);
  endCancelled(run, at);
}
