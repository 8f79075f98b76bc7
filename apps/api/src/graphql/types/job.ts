import { limits, memberName, showMember, showMemberOrNone, shownMemberText as text } from "@hopwise/contracts";
import { pageSize } from "../../database/page.ts";
import { breakdownOf, estimateOf, problemOfRow } from "../../database/stored-json.ts";
import type { Incident } from "../../generated/prisma/client.ts";
import { cancelJob } from "../../jobs/cancel-job.ts";
import { deleteJob } from "../../jobs/delete-job.ts";
import { artifactsOf } from "../../jobs/job-artifacts.ts";
import { jobPartition } from "../../jobs/job-partition.ts";
import { findJob, listJobs, type QueueInfo, queueInfo } from "../../jobs/job-queries.ts";
import { taskOfJob } from "../../jobs/job-task.ts";
import { readLogs } from "../../jobs/logs.ts";
import { readSeries } from "../../jobs/series.ts";
import { submitWithEstimate } from "../../jobs/submit-with-estimate.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost, nestedListCost, pageCost, pointsCost } from "../base/costs.ts";
import { modelsOfJobs } from "../base/models-of-jobs.ts";
import { ArtifactType, CheckpointType } from "./artifact.ts";
import { TaskType } from "./catalog.ts";
import { askedOfNodes, connectionOf } from "./connection.ts";
import {
  AttemptStateEnum,
  JobStateEnum,
  LogLevelEnum,
  MemberKindEnum,
  MemberStateEnum,
  StageStateEnum,
} from "./enums.ts";
import { EstimateType } from "./estimate.ts";
import { PartitionReportType } from "./partition-report.ts";
import { ProblemType } from "./problem.ts";
import { LogPage, SeriesType, StepBreakdownType } from "./progress.ts";

builder.prismaObject("Attempt", {
  fields: (t) => ({
    number: t.exposeInt("number"),
    state: t.expose("state", { type: AttemptStateEnum }),
    worker: t.exposeString("workerId"),
    host: t.exposeString("host"),
    ranks: t.exposeInt("ranks"),
    device: t.exposeString("device"),
    reason: t.exposeString("reason", { description: "`submitted`, or the code of what ended the attempt before" }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      select: { problem: true },
      resolve: (attempt) => problemOfRow(attempt),
    }),
    startedAt: t.expose("startedAt", { type: "DateTime" }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    resumedFromEpoch: t.exposeInt("resumedFromEpoch", {
      nullable: true,
      description: "Epoch of the checkpoint that an earlier attempt left it; null when it began anew",
    }),
  }),
});

builder.prismaObject("Stage", {
  fields: (t) => ({
    index: t.exposeInt("index"),
    kind: t.exposeString("kind", { description: "Name of the step component" }),
    state: t.expose("state", { type: StageStateEnum }),
    cached: t.exposeBoolean("cached", { description: "An equal artifact was there already: it did not run" }),
    attempt: t.exposeInt("attempt"),
    ranks: t.exposeInt("ranks"),
    phase: t.exposeString("phase", { nullable: true }),
    completed: t.expose("completed", { type: "SafeInt", nullable: true }),
    total: t.expose("total", { type: "SafeInt", nullable: true }),
    unit: t.exposeString("unit", { nullable: true }),
    etaSeconds: t.exposeFloat("etaSeconds", { nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    output: t.relation("output", { nullable: true }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      select: { problem: true },
      resolve: (stage) => problemOfRow(stage),
    }),
  }),
});

builder.prismaObject("Incident", {
  fields: (t) => ({
    cursor: t.string({ select: { cursor: true }, resolve: (incident) => String(incident.cursor) }),
    at: t.expose("at", { type: "DateTime" }),
    attempt: t.exposeInt("attempt"),
    code: t.exposeString("code"),
    message: t.exposeString("message"),
    member: t.string({
      nullable: true,
      description: text.member,
      select: { memberKind: true, memberIndex: true },
      resolve: (incident) => shownOf(incident).member,
    }),
    memberKind: t.expose("memberKind", { type: MemberKindEnum, nullable: true }),
    rank: t.int({
      nullable: true,
      description: text.rankOrNone,
      select: { memberKind: true, memberIndex: true },
      resolve: (incident) => shownOf(incident).rank,
    }),
    host: t.exposeString("host", { nullable: true }),
  }),
});

function shownOf({ memberKind: kind, memberIndex: index }: Pick<Incident, "memberKind" | "memberIndex">) {
  return showMemberOrNone(kind === null || index === null ? null : { kind, index });
}

builder.prismaObject("Member", {
  name: "Rank",
  description: "A rank, or a sampler process beside the ranks, of one attempt",
  fields: (t) => ({
    name: t.string({
      description: text.member,
      select: { kind: true, index: true },
      resolve: (member) => memberName(member),
    }),
    memberKind: t.expose("kind", { type: MemberKindEnum }),
    rank: t.int({
      nullable: true,
      description: text.rank,
      select: { kind: true, index: true },
      resolve: (member) => showMember(member).rank,
    }),
    localRank: t.exposeInt("localRank", { description: "Its place among the processes on its host: ranks first" }),
    attempt: t.exposeInt("attempt"),
    host: t.exposeString("host"),
    device: t.exposeString("device"),
    state: t.expose("state", { type: MemberStateEnum }),
    step: t.expose("step", { type: "SafeInt" }),
    seedsPerSecond: t.exposeFloat("seedsPerSecond", { nullable: true }),
    breakdown: t.field({
      type: StepBreakdownType,
      nullable: true,
      select: { breakdown: true },
      resolve: (member) => breakdownOf(member),
    }),
    rssBytes: t.expose("rssBytes", { type: "SafeInt", nullable: true }),
    localRows: t.expose("localRows", { type: "SafeInt", nullable: true }),
    remoteRows: t.expose("remoteRows", { type: "SafeInt", nullable: true }),
    cachedRows: t.expose("cachedRows", { type: "SafeInt", nullable: true }),
  }),
});

const QueueInfoType = builder.objectRef<QueueInfo>("QueueInfo").implement({
  fields: (t) => ({
    position: t.exposeInt("position", { description: "1 = next" }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why it waits, e.g. that no worker is online; null until the scheduler has looked at it",
    }),
  }),
});

export const JobType = builder.prismaObject("Job", {
  fields: (t) => ({
    id: t.exposeID("id"),
    project: t.relation("project"),
    name: t.exposeString("name"),
    kind: t.exposeString("kind", { description: "train, or map, ingest, export (made by the service)" }),
    spec: t.expose("spec", { type: "JSON", complexity: costs.json, description: "Resolved, with every default" }),
    tags: t.expose("tags", { type: "JSON" }),
    priority: t.exposeInt("priority"),
    createdBy: t.relation("creator"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    state: t.expose("state", { type: JobStateEnum }),
    attempt: t.exposeInt("attempt", { description: "Number of the current attempt; 0 before the first" }),
    cursor: t.string({
      // Without a selection of its own it is read with the state. Read later it could lie behind events that the state
      // does not know yet, and who subscribes after it would never hear of them.
      description: "Cursor of its newest event: subscribe after it",
      resolve: (job) => String(job.cursor),
    }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      select: { problem: true },
      resolve: (job) => problemOfRow(job),
    }),
    queue: t.field({
      type: QueueInfoType,
      nullable: true,
      complexity: costs.query,
      description: "null when it does not wait",
      select: { state: true, priority: true, createdAt: true, waitReason: true },
      resolve: (job, _args, { services }) => queueInfo(services, job),
    }),
    task: t.field({
      type: TaskType,
      nullable: true,
      complexity: costs.json,
      description: "How what it learns is judged; null: it learns nothing, or its task is not installed any more",
      select: { kind: true, spec: true },
      resolve: (job, _args, { services }) => taskOfJob(job, services.registry),
    }),
    dataset: t.relation("datasetVersion", { nullable: true }),
    stages: t.relation("stages", { query: { orderBy: { index: "asc" } } }),
    attempts: t.relation("attempts", { query: { orderBy: { number: "asc" } } }),
    incidents: t.relation("incidents", {
      complexity: nestedListCost(1000),
      query: { orderBy: { cursor: "asc" }, take: 1000 },
    }),
    series: t.field({
      type: [SeriesType],
      args: { names: t.arg.stringList(), maxPoints: t.arg.int({ defaultValue: 1000 }) },
      complexity: ({ maxPoints }) => ({ field: pointsCost(20 * (maxPoints ?? 1000), 200_000), multiplier: 20 }),
      select: { id: true },
      resolve: (job, args, { services }) => readSeries(services, job.id, args),
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
    estimate: t.field({
      type: EstimateType,
      nullable: true,
      select: { estimate: true },
      resolve: (job) => estimateOf(job),
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
    checkpoints: t.field({
      type: [CheckpointType],
      complexity: nestedListCost(200),
      select: {
        artifacts: { where: { kind: "checkpoint", deletedAt: null }, orderBy: { createdAt: "desc" }, take: 200 },
      },
      resolve: (job) => job.artifacts,
    }),
    artifacts: t.field({
      type: [ArtifactType],
      complexity: listCost(1000),
      args: { kind: t.arg.string() },
      description: "What its stages made or, when cached, found",
      select: { id: true },
      resolve: (job, { kind }, { services }) => artifactsOf(services, job.id, kind),
    }),
  }),
});

const JobConnection = connectionOf("Job", JobType);

const JobFilter = builder.inputType("JobFilter", {
  fields: (t) => ({
    project: t.id(),
    states: t.field({ type: [JobStateEnum] }),
    kinds: t.stringList(),
    dataset: t.id({ description: "Any version of this dataset" }),
    search: t.string({ description: "Part of the name or id" }),
  }),
});

export const JobOrderEnum = builder.enumType("JobOrder", {
  values: { NEWEST_FIRST: { value: "desc" }, OLDEST_FIRST: { value: "asc" } } as const,
});

builder.queryFields((t) => ({
  jobs: t.field({
    type: JobConnection,
    args: {
      filter: t.arg({ type: JobFilter }),
      orderBy: t.arg({ type: JobOrderEnum }),
      first: t.arg.int(),
      after: t.arg.string(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context, info) => {
      const { services, viewer, work } = context;
      const page = await listJobs(services, viewer, args, askedOfNodes(context, info, "Job"));
      modelsOfJobs.announce(
        work,
        page.nodes.map(({ id }) => id),
      );
      return page;
    },
  }),
  job: t.field({
    type: JobType,
    nullable: true,
    complexity: costs.query,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => findJob(services, viewer, id),
  }),
}));

builder.mutationFields((t) => ({
  submitJob: t.field({
    type: JobType,
    complexity: costs.mutation,
    args: { spec: t.arg({ type: "JobSpecInput", required: true }), idempotencyKey: t.arg.string() },
    resolve: (_root, { spec, idempotencyKey }, { services, viewer, requestId }) =>
      submitWithEstimate(services, viewer, spec, { idempotencyKey, requestId }),
  }),
  cancelJob: t.field({
    type: JobType,
    complexity: costs.mutation,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => cancelJob(services, viewer, id),
  }),
  deleteJob: t.boolean({
    complexity: costs.mutation,
    description: "Of a job that has ended; what other jobs use of it stays",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteJob(services, viewer, id);
      return true;
    },
  }),
}));
