import { limits, seriesArguments, usageQuery } from "@hopwise/contracts";
import { pageSize } from "../../database/page.ts";
import { jobPartition } from "../../jobs/job-partition.ts";
import { readLogs } from "../../jobs/logs.ts";
import { readSeries } from "../../jobs/series.ts";
import { readUsage } from "../../jobs/usage.ts";
import { builder } from "../base/builder.ts";
import { listCost, nestedListCost, pointsCost } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { LogLevelEnum } from "./enums.ts";
import { PartitionReportType } from "./partition-report.ts";
import { LogPage, SeriesType } from "./progress.ts";

/** What a job does and has done: the part of it that a page follows while it runs. */
builder.prismaObjectFields("Job", (t) => ({
  stages: t.relation("stages", { query: { orderBy: { index: "asc" } } }),
  attempts: t.relation("attempts", { query: { orderBy: { number: "asc" } } }),
  incidents: t.relation("incidents", {
    complexity: nestedListCost(1000),
    query: { orderBy: { cursor: "asc" }, take: 1000 },
  }),
  series: t.field({
    type: [SeriesType],
    args: {
      names: t.arg.stringList({ description: "200 at most; left out: all" }),
      maxPoints: t.arg.int({ defaultValue: 1000, description: "Points of each series at most, 2 to 10000" }),
    },
    complexity: ({ maxPoints }) => ({ field: pointsCost(20 * (maxPoints ?? 1000), 200_000), multiplier: 20 }),
    select: { id: true },
    resolve: (job, args, { services }) => readSeries(services, job.id, soundArguments(seriesArguments, args)),
  }),
  ranks: t.relation("members", {
    description: "Its ranks and sampler processes: of each attempt the ranks first",
    args: { attempt: t.arg.int({ description: "Left out: every attempt, newest first" }) },
    complexity: nestedListCost(limits.ranks),
    query: ({ attempt }) => ({
      where: attempt === null || attempt === undefined ? {} : { attempt },
      orderBy: [{ attempt: "desc" }, { kind: "asc" }, { index: "asc" }],
      take: 1024,
    }),
  }),
  partition: t.field({
    type: PartitionReportType,
    nullable: true,
    select: {
      kind: true,
      spec: true,
      stages: { where: { kind: "partition" }, select: { output: { select: { info: true } } } },
    },
    resolve: (job) => {
      const parts = job.stages[0]?.output;
      return parts ? jobPartition(parts, job) : null;
    },
  }),
  logs: t.field({
    type: LogPage,
    args: {
      after: t.arg.string({ description: "endCursor of the page before" }),
      before: t.arg.string({ description: "startCursor of the page after, to go back with `last`" }),
      first: t.arg.int({ defaultValue: 200 }),
      last: t.arg.int({ description: "The newest lines in place of the oldest" }),
      level: t.arg({ type: LogLevelEnum, description: "This level and above" }),
      rank: t.arg.int({ description: "Lines of this rank; of no sampler process" }),
      member: t.arg.string({ description: "Lines of the member of this name: `0`, `sampler 0`" }),
      search: t.arg.string(),
    },
    complexity: ({ first, last }) => listCost(pageSize(last ?? first ?? 200)),
    select: { id: true },
    resolve: (job, args, { services }) => readLogs(services, job.id, args),
  }),
}));

builder.prismaObjectField("Job", "usage", (t) =>
  t.field({
    type: [SeriesType],
    description:
      "What each process of the newest attempt used over time: `rank 0/cores`, memoryBytes, storageBytesPerSecond, " +
      "networkBytesPerSecond (of its host), seedsPerSecond",
    args: { maxPoints: t.arg.int({ defaultValue: 200, description: "Points of each process at most, 2 to 1000" }) },
    complexity: { field: pointsCost(40_000, 40_000), multiplier: 20 },
    select: { id: true, attempt: true, cursor: true },
    resolve: (job, asked, { services }) => readUsage(services, job, soundArguments(usageQuery, asked).maxPoints),
  }),
);
