import { notFound, type Viewer } from "../auth/viewer.ts";
import type { Worker } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { requireAdminOfAll } from "./require-admin-of-all.ts";

/**
 * Has a worker take no new work, or take it again. The stages that it runs go on to their end; what follows them runs
 * on other workers, or waits. It is kept by the worker's id, over restarts of both sides.
 *
 * @throws AppError REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function drainWorker(
  { prisma }: Pick<Services, "prisma">,
  viewer: Viewer,
  id: string,
  drained: boolean,
): Promise<Worker> {
  requireAdminOfAll(viewer);
  const { count } = await prisma.worker.updateMany({ where: { id }, data: { drained } });
  if (count === 0) throw notFound("worker", id);
  return prisma.worker.findUniqueOrThrow({ where: { id } });
}
