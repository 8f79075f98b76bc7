import type { Viewer } from "../auth/viewer.ts";
import type { PrismaClient } from "../generated/prisma/client.ts";

/** Kinds of lists that pages show. */
export const changeTopics = ["JOBS", "QUEUE", "DATASETS", "NOTICES", "WEBHOOKS", "WORKERS"] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/** One topic of one project, or of one user or everybody where rows belong to no project. */
interface MarkRow {
  readonly topic: ChangeTopic;
  readonly scope: string;
  readonly mark: string;
}

/** What the lists were like at one moment, by topic and scope. A mark differs whenever a row of it was written. */
export type ChangeMarks = ReadonlyMap<ChangeTopic, ReadonlyMap<string, string>>;

/**
 * Reads the marks of all lists in one statement. A mark is the number of rows and the sum of `xmin`, the transaction
 * that last wrote each: whoever writes, in whatever process, changes it by that alone. Stages, metrics and logs have no
 * mark, for each of their events moves its job's cursor.
 */
export async function readChangeMarks(prisma: PrismaClient): Promise<ChangeMarks> {
  const rows = await prisma.$queryRaw<MarkRow[]>`
    WITH "jobs" AS (
      SELECT "projectId", "state", "xmin"::text::bigint AS "writer" FROM "Job"
    )
    SELECT 'JOBS' AS "topic", "projectId" AS "scope", count(*) || ':' || sum("writer") AS "mark" FROM "jobs" GROUP BY 2
    UNION ALL
    SELECT 'QUEUE', '', count(*) || ':' || sum("writer") FROM "jobs" WHERE "state" IN ('QUEUED', 'RUNNING')
    UNION ALL
    SELECT 'DATASETS', "projectId", count(*) || ':' || sum("xmin"::text::bigint) FROM "Dataset" GROUP BY 2
    UNION ALL
    SELECT 'DATASETS', "projectId" || '/versions', count(*) || ':' || sum("xmin"::text::bigint)
    FROM "DatasetVersion" GROUP BY 2
    UNION ALL
    SELECT 'DATASETS', "projectId" || '/imports', count(*) || ':' || sum("xmin"::text::bigint) FROM "Import" GROUP BY 2
    UNION ALL
    SELECT 'DATASETS', "projectId" || '/schedules', count(*) || ':' || sum("xmin"::text::bigint)
    FROM "ImportSchedule" GROUP BY 2
    UNION ALL
    SELECT 'NOTICES', "projectId", count(*) || ':' || sum("xmin"::text::bigint)
    FROM "Notice" WHERE "number" IS NOT NULL GROUP BY 2
    UNION ALL
    SELECT 'NOTICES', 'user ' || "id", "noticesReadTo"::text FROM "User"
    UNION ALL
    SELECT 'WEBHOOKS', coalesce("projectId", ''), count(*) || ':' || sum("xmin"::text::bigint)
    FROM "Webhook" GROUP BY 2
    UNION ALL
    SELECT 'WEBHOOKS', coalesce("projectId", '') || '/deliveries', count(*) || ':' || sum("d"."xmin"::text::bigint)
    FROM "WebhookDelivery" "d" JOIN "Webhook" "w" ON "w"."id" = "d"."webhookId" GROUP BY 2
    UNION ALL
    SELECT 'WORKERS', '', count(*) || ':' || sum("xmin"::text::bigint) FROM "Worker"`;
  const marks = new Map<ChangeTopic, Map<string, string>>(changeTopics.map((topic) => [topic, new Map()]));
  for (const { topic, scope, mark } of rows) marks.get(topic)?.set(scope, mark);
  return marks;
}

/** The topics in which something differs that the viewer may see: changes elsewhere do not exist for them. */
export function changedTopics(
  before: ChangeMarks,
  now: ChangeMarks,
  viewer: Pick<Viewer, "userId" | "projectId">,
): ChangeTopic[] {
  return changeTopics.filter((topic) => shown(before, topic, viewer) !== shown(now, topic, viewer));
}

function shown(marks: ChangeMarks, topic: ChangeTopic, viewer: Pick<Viewer, "userId" | "projectId">): string {
  const isSeen = (scope: string) => {
    if (topic === "QUEUE" || topic === "WORKERS") return true;
    if (scope.startsWith("user ")) return scope === `user ${viewer.userId}`;
    return viewer.projectId === null || scope.split("/")[0] === viewer.projectId;
  };
  const seen = [...(marks.get(topic) ?? [])].filter(([scope]) => isSeen(scope));
  return JSON.stringify(seen.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
