import { AppError, type JobMarks, jobMarks } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { getJob } from "./job-queries.ts";

/**
 * Stars a job or gives it other tags or another note, for everybody who sees it; what is left out stays. The same again
 * changes nothing, and whether the job has ended is all the same.
 *
 * @throws AppError REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function markJob(
  services: Pick<Services, "prisma">,
  viewer: Viewer,
  id: string,
  { starred, tags, note }: JobMarks,
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const job = await getJob(services, viewer, id);
  const data = {
    ...(starred !== undefined && { starred }),
    ...(tags !== undefined && { tags }),
    ...(note !== undefined && { note }),
  };
  // An update of nothing counts no rows on PGlite, as if there were no such job.
  if (Object.keys(data).length === 0) return job;
  const { count } = await services.prisma.job.updateMany({ where: { id: job.id, deletedAt: null }, data });
  if (count === 0) throw notFound("job", id);
  return getJob(services, viewer, id);
}

/**
 * Marks as GraphQL brings them, where null says as little as nothing.
 *
 * @throws AppError REQUEST_INVALID
 */
export function readMarks({ starred, tags, note }: Readonly<Partial<Record<keyof JobMarks, unknown>>>): JobMarks {
  const parsed = jobMarks.safeParse({
    starred: starred ?? undefined,
    tags: tags ?? undefined,
    note: note ?? undefined,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${issue?.path.map(String).join("/") ?? ""}`;
  throw new AppError("REQUEST_INVALID", `These marks cannot be set: ${issue?.message}.`, { place: { pointer } });
}
