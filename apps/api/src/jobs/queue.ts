import { limits } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

/** Jobs that wait for their first stage, or between two because no worker can take the next. */
export const isWaitingRow: Prisma.JobWhereInput = {
  deletedAt: null,
  OR: [{ state: "QUEUED" }, { state: "RUNNING", waitReason: { not: null } }],
};

/** The order in which the scheduler goes through jobs. */
export const inQueueOrder = [{ priority: "desc" }, { createdAt: "asc" }, { id: "asc" }] as const;

export interface WaitingRow {
  readonly position: number;
  readonly jobId: string;
  readonly projectId: string;
  readonly name: string;
  readonly kind: string;
  readonly priority: number;
  readonly reason: string | null;
  readonly submittedAt: Date;
}

export interface JobQueue {
  /** Counts the jobs of all projects. */
  readonly length: number;
  readonly jobs: readonly WaitingRow[];
}

/** The jobs that wait, the next first. A key of one project sees its own, each at its place among all. */
export async function readQueue({ prisma }: Pick<Services, "prisma">, viewer: Viewer): Promise<JobQueue> {
  const rows = await prisma.job.findMany({
    where: isWaitingRow,
    orderBy: [...inQueueOrder],
    take: limits.listLength,
    select: { id: true, projectId: true, name: true, kind: true, priority: true, waitReason: true, createdAt: true },
  });
  const jobs = rows.map(({ id, waitReason, createdAt, ...row }, index) => {
    return { ...row, position: index + 1, jobId: id, reason: waitReason, submittedAt: createdAt };
  });
  const length = rows.length < limits.listLength ? rows.length : await prisma.job.count({ where: isWaitingRow });
  return { length, jobs: jobs.filter(({ projectId }) => viewer.projectId === null || projectId === viewer.projectId) };
}
