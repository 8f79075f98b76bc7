import { Prisma, type PrismaClient } from "../generated/prisma/client.ts";

type Database = Pick<PrismaClient | Prisma.TransactionClient, "$queryRaw">;

export interface HeldHours {
  readonly rankHours: number;
  readonly deviceHours: number;
}

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export const noHours: HeldHours = { rankHours: 0, deviceHours: 0 };

/**
 * Hours of slots and of devices that stages of each project held in a span: Σ (overlap with the span) · (how many).
 * What is held still counts up to now. Projects that held nothing are left out.
 *
 * @param projectIds left out: all projects
 */
export async function readHeldHours(
  database: Database,
  { from, to }: Span,
  projectIds?: readonly string[],
): Promise<ReadonlyMap<string, HeldHours>> {
  const [begin, end, now] = [from, to, new Date()].map((at) => Prisma.sql`${at.toISOString()}::timestamptz`) as [
    Prisma.Sql,
    Prisma.Sql,
    Prisma.Sql,
  ];
  const these = projectIds ? Prisma.sql`AND "projectId" = ANY(${[...projectIds]}::text[])` : Prisma.empty;
  const rows = await database.$queryRaw<readonly Row[]>`
    SELECT "projectId", (sum("slots" * seconds) / 3600)::float8 AS "rankHours",
      (sum("devices" * seconds) / 3600)::float8 AS "deviceHours"
    FROM (
      SELECT "projectId", "slots", "devices",
        greatest(0, extract(epoch FROM least(coalesce("endedAt", ${now}), ${end}) - greatest("startedAt", ${begin}))) AS seconds
      FROM "HeldTime"
      WHERE "startedAt" < ${end} AND ("endedAt" IS NULL OR "endedAt" > ${begin}) ${these}
    ) AS held GROUP BY "projectId"`;
  return new Map(rows.map(({ projectId, ...hours }) => [projectId, hours]));
}

interface Row extends HeldHours {
  readonly projectId: string;
}

/** The calendar month of a moment, in UTC. */
export function monthOf(at: Date): Span {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month)), to: new Date(Date.UTC(year, month + 1)) };
}

/** `November 2026` */
export function monthTitle({ from }: Span): string {
  return from.toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" });
}

/** Hours as messages say them: exact enough to compare. */
export function shownHours(hours: number): string {
  return hours.toLocaleString("en", { maximumFractionDigits: 2, useGrouping: false });
}
