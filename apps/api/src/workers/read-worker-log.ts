import { AppError, type WorkerLogAnswer, type WorkerLogLine, type WorkerLogQuery } from "@hopwise/contracts";
import { notFound, type Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";
import { requireAdminOfAll } from "./require-admin-of-all.ts";

const levels: readonly WorkerLogLine["level"][] = ["debug", "info", "warn", "error"];

/**
 * The newest lines of a worker's own log: for admins of all projects, as a worker names the jobs that it runs, whose
 * ever they are.
 *
 * @throws AppError AUTH_FORBIDDEN, REQUEST_NOT_FOUND, UPSTREAM_UNAVAILABLE
 */
export async function readWorkerLog(
  { prisma, workerLogs }: Pick<Services, "prisma" | "workerLogs">,
  viewer: Viewer,
  id: string,
  { after = -1, level = "debug", search = "" }: WorkerLogQuery,
): Promise<WorkerLogAnswer> {
  requireAdminOfAll(viewer);
  if (!(await prisma.worker.findUnique({ where: { id }, select: { id: true } }))) throw notFound("worker", id);
  if (workerLogs === null) return { lines: [] };
  const lines = await workerLogs.read(id).catch((cause: unknown) => {
    const detail = "Redis, where the logs of workers lie, does not answer; try again in a moment.";
    throw new AppError("UPSTREAM_UNAVAILABLE", detail, { cause });
  });
  const shown = levels.slice(levels.indexOf(level));
  const wanted = search.toLowerCase();
  const isMeant = (line: WorkerLogLine) =>
    line.cursor > after &&
    shown.includes(line.level) &&
    `${line.message} ${JSON.stringify(line.fields)}`.toLowerCase().includes(wanted);
  return { lines: lines.filter(isMeant) };
}
