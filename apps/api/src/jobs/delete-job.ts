import { AppError, isTerminal, terminalJobStates } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { getJob } from "./job-queries.ts";

/**
 * Takes a job that has ended out of sight at once; the sweep removes its rows and what only it referred to. Artifacts
 * that other jobs or a dataset use stay, and its idempotency key is free again.
 *
 * @throws AppError REQUEST_CONFLICT while it runs or an export of it does, REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function deleteJob(services: JobServices, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "EDITOR");
  const job = await getJob(services, viewer, id);
  const hasEnded = { in: [...terminalJobStates] };
  const { count } = await services.prisma.job.updateMany({
    where: { id, deletedAt: null, state: hasEnded, derivedJobs: { every: { state: hasEnded } } },
    data: { deletedAt: new Date(), idempotencyKey: null },
  });
  if (count === 1) return services.jobChanged(id);
  const { state } = await getJob(services, viewer, job.id);
  const isOver = isTerminal(state);
  throw new AppError(
    "REQUEST_CONFLICT",
    isOver
      ? "An export of this job is under way; wait for its end or cancel it, then delete the job."
      : `The job is ${state}; cancel it and wait until it has stopped, then delete it.`,
  );
}
