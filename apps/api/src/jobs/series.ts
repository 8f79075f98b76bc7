import { type SeriesAnswer, seriesAnswer } from "@hopwise/contracts";
import { z } from "zod";
import { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

export interface SeriesRequest {
  /** Left out: all */
  readonly names?: readonly string[] | undefined;
  readonly maxPoints: number;
}

const found = z.array(seriesAnswer);

/**
 * The measured series of a job by name; longer ones are thinned evenly to `maxPoints`, their last point kept. The
 * database thins them: a hundred thousand epochs never leave it.
 */
export async function readSeries({ prisma }: Services, jobId: string, request: SeriesRequest): Promise<SeriesAnswer[]> {
  const { names, maxPoints: most } = request;
  if (names?.length === 0) return [];
  const named = names ? Prisma.sql`AND name IN (${Prisma.join(names)})` : Prisma.empty;
  const rows: unknown = await prisma.$queryRaw`
    SELECT name,
      (array_agg(axis ORDER BY step))[1] AS axis,
      json_agg(step ORDER BY step) AS steps,
      json_agg(value ORDER BY step) AS values,
      json_agg(floor(extract(epoch FROM at) * 1000)::bigint ORDER BY step) AS times
    FROM (
      SELECT name, axis, step, value, at,
        row_number() OVER (PARTITION BY name ORDER BY step) - 1 AS i,
        count(*) OVER (PARTITION BY name) AS n
      FROM "Metric" WHERE "jobId" = ${jobId} ${named}
    ) AS points
    WHERE n <= ${most} OR i = n - 1 OR mod(i, (n - 1 + ${most - 2}) / ${most - 1}) = 0
    GROUP BY name ORDER BY name`;
  return found.parse(rows);
}
