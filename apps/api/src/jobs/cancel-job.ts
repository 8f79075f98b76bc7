import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import { changeJob } from "../job-state/job-store.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { requestCancel } from "../job-state/transitions/cancel-transitions.ts";
import { getJob } from "./job-queries.ts";

/**
 * Asks a job to stop: at once when nothing of it runs, else CANCELLING until its worker has stopped. Asking twice is
 * fine.
 *
 * @throws AppError JOB_FINISHED when it has succeeded or failed, REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function cancelJob(services: JobServices, viewer: Viewer, jobId: string): Promise<Job> {
  requireRole(viewer, "EDITOR");
  await getJob(services, viewer, jobId);
  await changeJob(services.prisma, jobId, (run) => {
    const { state } = run.job;
    if (state === "CANCELLED" || state === "CANCELLING") return;
    if (run.hasEnded) throw new AppError("JOB_FINISHED", `The job has ${state} already; there is nothing to cancel.`);
    requestCancel(run, new Date());
  });
  services.jobChanged(jobId);
  return services.prisma.job.findUniqueOrThrow({ where: { id: jobId } });
}
