import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import { changeJob } from "../job-state/job-store.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { requestTrainingEnd } from "../job-state/transitions/end-training-transition.ts";
import { getJob } from "./job-queries.ts";

/**
 * Has a training end where it is, or behind its first step. The best weights so far become its model, and the stages
 * that follow run as ever. Asking twice is fine.
 *
 * @throws AppError JOB_FINISHED when it trains no more, REQUEST_INVALID when it never does, REQUEST_NOT_FOUND,
 * AUTH_FORBIDDEN
 */
export async function endTraining(services: JobServices, viewer: Viewer, jobId: string): Promise<Job> {
  requireRole(viewer, "EDITOR");
  await getJob(services, viewer, jobId);
  await changeJob(services.prisma, jobId, (run) => {
    requireTraining(run);
    requestTrainingEnd(run);
  });
  services.jobChanged(jobId);
  return services.prisma.job.findUniqueOrThrow({ where: { id: jobId } });
}

function requireTraining({ job, stages, hasEnded }: JobRun): void {
  if (hasEnded) throw new AppError("JOB_FINISHED", `The job has ${job.state} already; there is no training to end.`);
  if (job.state === "CANCELLING") throw new AppError("JOB_FINISHED", "The job is being cancelled; it trains no more.");
  const training = stages.find(({ kind }) => kind === "train");
  if (!training) throw new AppError("REQUEST_INVALID", `A job of kind ${job.kind} trains nothing; cancel it instead.`);
  if (training.state === "SUCCEEDED") {
    throw new AppError("JOB_FINISHED", "Its training is over already; the stages that follow make what it gives.");
  }
}
