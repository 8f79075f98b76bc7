import { limits } from "@hopwise/contracts";
import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import type { WriteBack } from "../generated/prisma/client.ts";
import { getJob } from "../jobs/job-queries.ts";
import type { Services } from "../services.ts";

/** @throws AppError REQUEST_NOT_FOUND */
export async function getWriteBack({ prisma }: Services, viewer: Viewer, id: string): Promise<WriteBack> {
  const found = await prisma.writeBack.findFirst({ where: { id, ...visible(viewer), job: { deletedAt: null } } });
  if (!found) throw notFound("write-back", id);
  return found;
}

/** The newest of a job, the newest first. @throws AppError REQUEST_NOT_FOUND */
export async function listWriteBacks(services: Services, viewer: Viewer, jobId: string): Promise<WriteBack[]> {
  await getJob(services, viewer, jobId);
  return services.prisma.writeBack.findMany({
    where: { jobId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limits.writeBacksShown,
  });
}
