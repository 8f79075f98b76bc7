import type { Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";

/** What happened on a day (UTC). */
export interface QueueDay {
  /** `2026-11-24` */
  readonly day: string;
  /** Training jobs that were submitted */
  readonly submitted: number;
  /** From the submission to the first stage, of those that have begun; null where none has */
  readonly medianWaitSeconds: number | null;
  readonly longestWaitSeconds: number | null;
  /** Hours that ranks were held by attempts of any job, a rank on a worker for an hour being one */
  readonly rankHours: number;
}

/**
 * The last days, the oldest first, today among them. Jobs that were deleted count until the sweep takes their rows. A
 * key of one project sees what its project did.
 */
export async function queueHistory(
  { prisma }: Pick<Services, "prisma">,
  { projectId }: Pick<Viewer, "projectId">,
  days: number,
): Promise<readonly QueueDay[]> {
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
    ), attempts AS (
      SELECT ranks, "startedAt" AT TIME ZONE 'UTC' AS began,
        coalesce("finishedAt", now()) AT TIME ZONE 'UTC' AS ended
      FROM "Attempt"
      WHERE coalesce("finishedAt", now()) >= now() - interval '1 day' * ${days}::int
        AND (${projectId}::text IS NULL OR "projectId" = ${projectId}::text)
    )
    SELECT to_char(days.day, 'YYYY-MM-DD') AS day, coalesce(jobs.submitted, 0) AS submitted,
      jobs.median::float8 AS median, jobs.longest::float8 AS longest,
      coalesce((SELECT sum(extract(epoch FROM least(ended, next) - greatest(began, days.day)) * ranks) / 3600
        FROM attempts WHERE began < next AND ended > days.day), 0)::float8 AS hours
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
