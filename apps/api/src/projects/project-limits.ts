import type { ProjectLimits } from "@hopwise/contracts";
import { notFound, type Viewer } from "../auth/viewer.ts";
import type { Project } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { requireAdminOfService } from "./require-admin-of-service.ts";

type LimitColumns = Pick<Project, "maxSlots" | "maxDevices" | "maxWaitingJobs" | "monthlyRankHours">;

export function limitsOf({ maxSlots, maxDevices, maxWaitingJobs, monthlyRankHours }: LimitColumns): ProjectLimits {
  return { slots: maxSlots, devices: maxDevices, waitingJobs: maxWaitingJobs, monthlyRankHours };
}

/**
 * Sets what a project may hold, have waiting and use. What runs goes on; jobs that wait are judged by the new limits
 * in the next round of the scheduler.
 *
 * @throws AppError AUTH_FORBIDDEN, REQUEST_NOT_FOUND
 */
export async function setProjectLimits(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
  id: string,
  { slots, devices, waitingJobs, monthlyRankHours }: ProjectLimits,
): Promise<Project> {
  requireAdminOfService(viewer);
  const data = { maxSlots: slots, maxDevices: devices, maxWaitingJobs: waitingJobs, monthlyRankHours };
  const { count } = await prisma.project.updateMany({ where: { id }, data });
  if (count === 0) throw notFound("project", id);
  return prisma.project.findUniqueOrThrow({ where: { id } });
}
