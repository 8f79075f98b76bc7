import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { type Page, type PageRequest, takePage } from "../database/page.ts";
import type { Job, JobState, Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { beyondJob, type JobSort, orderOf } from "./job-order.ts";
import { isWaitingRow } from "./queue.ts";

export interface JobListing extends PageRequest {
  readonly filter?: JobFilter | null | undefined;
  /** Left out: newest first. */
  readonly sort?: JobSort | null | undefined;
}

export interface JobFilter {
  readonly project?: string | null | undefined;
  readonly states?: readonly JobState[] | null | undefined;
  readonly kinds?: readonly string[] | null | undefined;
  readonly dataset?: string | null | undefined;
  /** Id of a worker that ran some attempt of them */
  readonly worker?: string | null | undefined;
  readonly sweep?: string | null | undefined;
  readonly search?: string | null | undefined;
  readonly starred?: boolean | null | undefined;
}

/** @param relations what of other tables is read with the rows */
export async function listJobs(
  { prisma }: Services,
  viewer: Viewer,
  listing: JobListing,
  relations: Pick<Prisma.JobFindManyArgs, "include"> = {},
): Promise<Page<Job>> {
  const where: Prisma.JobWhereInput = {
    AND: [visible(viewer), { deletedAt: null }, ...conditions(listing.filter ?? {})],
  };
  const sort = listing.sort ?? { by: "submitted", isDescending: true };
  const orderBy = orderOf(sort);
  return takePage(listing, {
    find: (take, beyond: Prisma.JobWhereInput) =>
      prisma.job.findMany({ where: { AND: [where, beyond] }, take, orderBy, ...relations }),
    count: () => prisma.job.count({ where }),
    placeOf: (id) =>
      prisma.job.findFirst({ where: { id, ...visible(viewer) }, include: { creator: { select: { name: true } } } }),
    beyond: (place) => beyondJob(place, sort),
  });
}

function conditions(filter: JobFilter): Prisma.JobWhereInput[] {
  const { project, states, kinds, dataset, worker, sweep, search, starred } = filter;
  const found: Prisma.JobWhereInput[] = [];
  if (project) found.push({ projectId: project });
  if (states) found.push({ state: { in: [...states] } });
  if (kinds) found.push({ kind: { in: [...kinds] } });
  if (starred !== null && starred !== undefined) found.push({ starred });
  if (dataset) found.push({ datasetVersion: { datasetId: dataset } });
  if (sweep) found.push({ sweepId: sweep });
  if (worker) {
    const ran = [{ attempts: { some: { workerId: worker } } }, { stages: { some: { slices: holds(worker) } } }];
    found.push({ OR: ran });
  }
  if (search) found.push({ OR: [{ name: { contains: search, mode: "insensitive" } }, { id: { contains: search } }] });
  return found;
}

/** The attempt of a job on several hosts names the first one's worker alone. */
function holds(workerId: string): Prisma.JsonFilter<"Stage"> {
  return { array_contains: [{ workerId }] };
}

export async function findJob({ prisma }: Pick<Services, "prisma">, viewer: Viewer, id: string): Promise<Job | null> {
  return prisma.job.findFirst({ where: { id, deletedAt: null, ...visible(viewer) } });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getJob(services: Pick<Services, "prisma">, viewer: Viewer, id: string): Promise<Job> {
  const job = await findJob(services, viewer, id);
  if (!job) throw notFound("job", id);
  return job;
}

/** A job that waits for its first stage, or between two because no worker can take the next. */
export type WaitingJob = Pick<Job, "state" | "priority" | "createdAt" | "waitReason">;

export interface QueueInfo {
  /** 1 = next. */
  readonly position: number;
  /** null: the scheduler has not looked at it yet. */
  readonly reason: string | null;
}

/** Where a job waits and why; null when it does not. */
export async function queueInfo(services: Pick<Services, "prisma">, job: WaitingJob): Promise<QueueInfo | null> {
  const { state, waitReason: reason } = job;
  const waits = state === "QUEUED" || (state === "RUNNING" && reason !== null);
  return waits ? { position: await queuePosition(services, job), reason } : null;
}

/** As the scheduler goes through them: a higher priority before a lower one, then older ones. */
async function queuePosition(
  { prisma }: Pick<Services, "prisma">,
  { priority, createdAt }: WaitingJob,
): Promise<number> {
  const ahead = await prisma.job.count({
    where: {
      AND: [isWaitingRow, { OR: [{ priority: { gt: priority } }, { priority, createdAt: { lt: createdAt } }] }],
    },
  });
  return ahead + 1;
}
