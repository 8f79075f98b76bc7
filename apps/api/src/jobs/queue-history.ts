import { AppError, mostQueueDays, type QueueDayAnswer } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";

/**
 * The last days, the oldest first, today among them. Jobs that were deleted are counted as submitted until the sweep
 * takes their rows; the hours that they held stay. A key of one project sees what its project did.
 *
 * @throws AppError REQUEST_INVALID
 */
export async function queueHistory(
  { prisma }: Pick<Services, "prisma">,
  { projectId }: Pick<Viewer, "projectId">,
  days: number,
): Promise<readonly QueueDayAnswer[]> {
  if (days < 1 || days > mostQueueDays)
    throw new AppError("REQUEST_INVALID", `Found ${days} days, expected 1 to ${mostQueueDays}.`, {
      place: { pointer: "/days" },
    });
  const rows = await prisma.$queryRaw<readonly Row[]>`
    WITH days AS (
      SELECT day, day + interval '1 day' AS next
      FROM generate_series(date_trunc('day', now() AT TIME ZONE 'UTC') - interval '1 day' * ${days - 1}::int,
        date_trunc('day', now() AT TIME ZONE 'UTC'), interval '1 day') AS day
    ), jobs AS (
      SELECT date_trunc('day', "createdAt" AT TIME ZONE 'UTC') AS day, count(*)::int AS submitted,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM "startedAt" - "createdAt")) AS median,
        max(extract(epoch FROM "startedAt" - "createdAt")) AS longest
      FROM "Job"
      WHERE kind = 'train' AND "createdAt" >= now() - interval '1 day' * ${days}::int
        AND (${projectId}::text IS NULL OR "projectId" = ${projectId}::text)
      GROUP BY 1
    ), held AS (
      SELECT slots, "startedAt" AT TIME ZONE 'UTC' AS began,
        coalesce("endedAt", now()) AT TIME ZONE 'UTC' AS ended
      FROM "HeldTime"
      WHERE ("endedAt" IS NULL OR "endedAt" >= now() - interval '1 day' * ${days}::int)
        AND (${projectId}::text IS NULL OR "projectId" = ${projectId}::text)
    )
    SELECT to_char(days.day, 'YYYY-MM-DD') AS day, coalesce(jobs.submitted, 0) AS submitted,
      jobs.median::float8 AS median, jobs.longest::float8 AS longest,
      coalesce((SELECT sum(extract(epoch FROM least(ended, next) - greatest(began, days.day)) * slots) / 3600
        FROM held WHERE began < next AND ended > days.day), 0)::float8 AS hours
    FROM days LEFT JOIN jobs ON jobs.day = days.day ORDER BY days.day`;
  return rows.map(({ day, submitted, median, longest, hours }) => {
    return { day, submitted, medianWaitSeconds: median, longestWaitSeconds: longest, rankHours: hours };
  });
}

interface Row {
  readonly day: string;
  readonly submitted: number;
  readonly median: number | null;
  readonly longest: number | null;
  readonly hours: number;
}
