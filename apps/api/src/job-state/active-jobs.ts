import type { Prisma, PrismaClient, Stage } from "../generated/prisma/client.ts";

const include = {
  stages: { orderBy: { index: "asc" } },
  attempts: { orderBy: { number: "desc" }, take: 1 },
} satisfies Prisma.JobInclude;

/** A job that has not ended, with its stages and its latest attempt. */
export type ActiveJob = Prisma.JobGetPayload<{ include: typeof include }>;

/** In the order in which they get slots: by priority (10 before 1), then by age. */
export function readActiveJobs(prisma: PrismaClient): Promise<ActiveJob[]> {
  return prisma.job.findMany({
    where: { state: { in: ["QUEUED", "RUNNING", "CANCELLING"] } },
    orderBy: [{ priority: "desc" }, { createdAt: "asc" }, { id: "asc" }],
    include,
  });
}

export function activeStageOf(job: ActiveJob): Stage | null {
  return job.stages.find(({ state }) => state === "QUEUED" || state === "RUNNING") ?? null;
}
