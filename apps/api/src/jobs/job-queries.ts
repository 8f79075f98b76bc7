import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { type Page, type PageRequest, takePage } from "../database/page.ts";
import type { Job, JobState, Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

export interface JobListing extends PageRequest {
  readonly filter?: JobFilter | null | undefined;
  readonly orderBy?: "asc" | "desc" | null | undefined;
}

export interface JobFilter {
  readonly project?: string | null | undefined;
  readonly states?: readonly JobState[] | null | undefined;
  readonly kinds?: readonly string[] | null | undefined;
  readonly dataset?: string | null | undefined;
  readonly search?: string | null | undefined;
}

export async function listJobs({ prisma }: Services, viewer: Viewer, listing: JobListing): Promise<Page<Job>> {
  const where: Prisma.JobWhereInput = {
    AND: [visible(viewer), { deletedAt: null }, ...conditions(listing.filter ?? {})],
  };
  const direction = listing.orderBy ?? "desc";
  const orderBy = [{ createdAt: direction }, { id: direction }];
  return takePage(
    listing,
    (page) => prisma.job.findMany({ where, orderBy, ...page }),
    () => prisma.job.count({ where }),
  );
}

function conditions({ project, states, kinds, dataset, search }: JobFilter): Prisma.JobWhereInput[] {
  const found: Prisma.JobWhereInput[] = [];
  if (project) found.push({ projectId: project });
  if (states) found.push({ state: { in: [...states] } });
  if (kinds) found.push({ kind: { in: [...kinds] } });
  if (dataset) found.push({ datasetVersion: { datasetId: dataset } });
  if (search) found.push({ OR: [{ name: { contains: search, mode: "insensitive" } }, { id: { contains: search } }] });
  return found;
}

export async function findJob({ prisma }: Services, viewer: Viewer, id: string): Promise<Job | null> {
  return prisma.job.findFirst({ where: { id, deletedAt: null, ...visible(viewer) } });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getJob(services: Services, viewer: Viewer, id: string): Promise<Job> {
  const job = await findJob(services, viewer, id);
  if (!job) throw notFound("job", id);
  return job;
}

/** 1 = next: queued jobs of a smaller priority number come first, then older ones. */
export async function queuePosition({ prisma }: Services, job: Pick<Job, "priority" | "createdAt">): Promise<number> {
  const { priority, createdAt } = job;
  const ahead = await prisma.job.count({
    where: { state: "QUEUED", OR: [{ priority: { lt: priority } }, { priority, createdAt: { lt: createdAt } }] },
  });
  return ahead + 1;
}
