import { AppError, terminalJobStates } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { getJob } from "./job-queries.ts";

/**
 * Moves a job in the queue: 10 goes before 1, equal ones by age. It counts for its next stage; what runs is not
 * interrupted. Whoever may submit a job with a priority may change it.
 *
 * @throws AppError JOB_FINISHED, REQUEST_INVALID, REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function setPriority(
  services: Pick<Services, "prisma" | "jobChanged">,
  viewer: Viewer,
  id: string,
  priority: number,
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  if (priority < 1 || priority > 10)
    throw new AppError("REQUEST_INVALID", `Found the priority ${priority}, expected 1 to 10.`, {
      place: { pointer: "/priority" },
    });
  const job = await getJob(services, viewer, id);
  const { count } = await services.prisma.job.updateMany({
    where: { id: job.id, deletedAt: null, state: { notIn: [...terminalJobStates] } },
    data: { priority },
  });
  const now = await getJob(services, viewer, id);
  if (count === 0) throw new AppError("JOB_FINISHED", `The job has ${now.state} already; it waits for nothing.`);
  services.jobChanged(id);
  return now;
}
