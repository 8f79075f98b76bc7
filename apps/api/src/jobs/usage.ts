import {
  type JobEventBodies,
  jobEventBodies,
  leadRank,
  type Member,
  memberTitle,
  type SeriesAnswer,
} from "@hopwise/contracts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

type Report = JobEventBodies["RankUpdated"] & { readonly at: number };

/** Reports that one question reads at most. */
const mostReports = 20_000;

/**
 * What each process of the newest attempt used over time, from the reports that the job's events keep: cores, bytes of
 * memory, bytes a second of storage and of its host's network, seeds a second. A series is called `rank 0/cores`; its
 * axis is time. Between two reports stands the mean, as processes count from their beginning.
 *
 * The events are cut into `maxPoints` ranges of cursors, of which the first reports are read: a job of a day costs no
 * more than one of an hour.
 */
export async function readUsage(
  { prisma }: Pick<Services, "prisma">,
  job: Pick<Job, "id" | "attempt" | "cursor">,
  maxPoints: number,
): Promise<SeriesAnswer[]> {
  const { id: jobId, attempt } = job;
  const numMembers = await prisma.member.count({ where: { jobId, attempt } });
  const [first] = await prisma.$queryRaw<{ cursor: number | null }[]>`
    SELECT min("cursor")::int AS cursor FROM "JobEvent" WHERE "jobId" = ${jobId} AND "attempt" = ${attempt}`;
  const from = first?.cursor ?? null;
  if (numMembers === 0 || from === null) return [];
  const perWindow = 2 * numMembers;
  const windows = Math.max(2, Math.min(maxPoints, Math.floor(mostReports / perWindow)));
  const stride = Math.ceil((job.cursor - from + 1) / windows);
  const rows = await prisma.$queryRaw<{ window: number; at: Date; body: unknown }[]>`
    SELECT w AS window, e."at", e."body" FROM generate_series(0, ${windows - 1}::int) AS w CROSS JOIN LATERAL (
      SELECT "at", "body" FROM "JobEvent"
      WHERE "jobId" = ${jobId} AND "cursor" >= ${from}::int + w * ${stride}::int
        AND "cursor" < ${from}::int + (w + 1) * ${stride}::int AND "type" = 'RankUpdated' AND "attempt" = ${attempt}
      ORDER BY "cursor" LIMIT ${perWindow}::int
    ) AS e ORDER BY w, e."at"`;
  return seriesOf(reportsOf(rows));
}

/** The first report of each process in each window, in the order of time */
function reportsOf(rows: readonly { window: number; at: Date; body: unknown }[]): ReadonlyMap<string, Report[]> {
  const windows = new Map<string, number>();
  const reports = new Map<string, Report[]>();
  for (const { window, at, body } of rows) {
    const report = { ...jobEventBodies.RankUpdated.parse(body), at: at.getTime() };
    const name = nameOf(report.member);
    if (windows.get(name) === window) continue;
    windows.set(name, window);
    reports.set(name, [...(reports.get(name) ?? []), report]);
  }
  return reports;
}

function nameOf(member: Member): string {
  return memberTitle(member).toLowerCase();
}

function seriesOf(reports: ReadonlyMap<string, readonly Report[]>): SeriesAnswer[] {
  const lead = nameOf(leadRank);
  const names = [...reports.keys()].toSorted((a, b) => (a === lead ? -1 : a.localeCompare(b, "en", { numeric: true })));
  return names.flatMap((name) => {
    const own = reports.get(name) ?? [];
    return Object.entries(measures).flatMap(([measure, read]): SeriesAnswer[] => {
      const points = own.flatMap((report, i) => {
        const value = read(report, own[i - 1]);
        return value === null ? [] : [{ at: report.at, value }];
      });
      const times = points.map(({ at }) => at);
      if (points.length === 0) return [];
      return [
        { name: `${name}/${measure}`, axis: "time", steps: times, times, values: points.map((one) => one.value) },
      ];
    });
  });
}

type Measure = (now: Report, before: Report | undefined) => number | null;

const measures: Readonly<Record<string, Measure>> = {
  cores: rateOf(({ usage }) => usage?.cpuSeconds ?? null),
  memoryBytes: ({ rssBytes }) => rssBytes,
  storageBytesPerSecond: rateOf(({ usage }) => sumOf(usage?.readBytes, usage?.writtenBytes)),
  networkBytesPerSecond: rateOf(({ usage }) => usage?.networkBytes ?? null),
  seedsPerSecond: ({ seedsPerSecond }) => seedsPerSecond,
};

function sumOf(...counts: readonly (number | null | undefined)[]): number | null {
  const known = counts.filter((count) => typeof count === "number");
  return known.length === counts.length ? known.reduce((sum, count) => sum + count, 0) : null;
}

/** Growth of a count a second since the report before; of a process that began anew it is not known. */
function rateOf(count: (report: Report) => number | null): Measure {
  return (now, before) => {
    const [later, earlier] = [count(now), before ? count(before) : null];
    if (later === null || earlier === null || before === undefined || now.at <= before.at || later < earlier)
      return null;
    return ((later - earlier) / (now.at - before.at)) * 1000;
  };
}
