import { z } from "zod";
import { type Viewer, visible } from "../auth/viewer.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";

/** A row of the Worker table, or the columns of it that were asked for. */
interface WorkerRow {
  readonly announcement?: unknown;
}

const said = z.looseObject({ running: z.array(z.looseObject({ jobId: z.string() })) });

/**
 * The workers as this viewer may see them: a key of one project learns that a worker is busy with its own jobs, and
 * nothing of what others run there.
 */
export async function withVisibleRunning<T extends WorkerRow>(
  prisma: PrismaClient,
  viewer: Viewer,
  workers: readonly T[],
): Promise<T[]> {
  if (viewer.projectId === null) return [...workers];
  const ids = new Set(workers.flatMap((worker) => runningOf(worker).map(({ jobId }) => jobId)));
  const own = await prisma.job.findMany({ where: { id: { in: [...ids] }, ...visible(viewer) }, select: { id: true } });
  const seen = new Set(own.map(({ id }) => id));
  return workers.map((worker) => {
    if (!isObject(worker.announcement)) return worker;
    const running = runningOf(worker).filter(({ jobId }) => seen.has(jobId));
    return { ...worker, announcement: { ...worker.announcement, running } };
  });
}

/** A worker of another contract may say this differently: then nothing of it is shown. */
function runningOf({ announcement }: WorkerRow) {
  const found = said.safeParse(announcement);
  return found.success ? found.data.running : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
