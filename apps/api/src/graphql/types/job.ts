import {
  type JobSortKey,
  jobSortKeys,
  limits,
  mostQueueDays,
  type QueueDayAnswer,
  retryRequest,
} from "@hopwise/contracts";
import { estimateOf, problemOfRow } from "../../database/stored-json.ts";
import { taskOfJob } from "../../job-state/job-task.ts";
import { cancelJob } from "../../jobs/cancel-job.ts";
import { deleteJob } from "../../jobs/delete-job.ts";
import { findJob, listJobs, type QueueInfo, queueInfo } from "../../jobs/job-queries.ts";
import { markJob, readMarks } from "../../jobs/mark-job.ts";
import { type JobQueue, readQueue, type WaitingRow } from "../../jobs/queue.ts";
import { queueHistory } from "../../jobs/queue-history.ts";
import { retryJob } from "../../jobs/retry-job.ts";
import { setPriority } from "../../jobs/set-priority.ts";
import { submitWithEstimate } from "../../jobs/submit-with-estimate.ts";
import { builder } from "../base/builder.ts";
import { costs, listCost, pageCost } from "../base/costs.ts";
import { modelsOfJobs } from "../base/models-of-jobs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { TaskType } from "./catalog.ts";
import { askedOfNodes, connectionOf } from "./connection.ts";
import { JobStateEnum } from "./enums.ts";
import { EstimateType } from "./estimate.ts";
import { ProblemType } from "./problem.ts";

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
    kind: t.exposeString("kind", { description: "train, infer, or map, ingest, export (made by the service)" }),
    spec: t.expose("spec", { type: "JSON", complexity: costs.json, description: "Resolved, with every default" }),
    tags: t.expose("tags", { type: "JSON" }),
    starred: t.exposeBoolean("starred", { description: "Set by hand, for everybody who sees the job" }),
    note: t.exposeString("note", { description: "What people wrote about it; empty: nothing" }),
    datasetName: t.exposeString("datasetName", {
      nullable: true,
      description: "Null, as are modelType, numRanks and result, for a job that neither trains nor applies a model",
    }),
    modelType: t.exposeString("modelType", { nullable: true }),
    numRanks: t.exposeInt("numRanks", { nullable: true, description: "As asked for" }),
    result: t.exposeFloat("result", {
      nullable: true,
      description: "Its task's chief metric on the test set; null without a model",
    }),
    sweepId: t.exposeID("sweepId", { nullable: true, description: "The sweep that it belongs to" }),
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
    estimate: t.field({ type: EstimateType, nullable: true, select: { estimate: true }, resolve: estimateOf }),
  }),
});

const WaitingJobType = builder.objectRef<WaitingRow>("WaitingJob").implement({
  fields: (t) => ({
    position: t.exposeInt("position", { description: "1 = next; jobs of other projects count too" }),
    jobId: t.exposeID("jobId"),
    projectId: t.exposeID("projectId"),
    name: t.exposeString("name"),
    kind: t.exposeString("kind"),
    priority: t.exposeInt("priority"),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why it waits; null until the scheduler has looked at it",
    }),
    submittedAt: t.expose("submittedAt", { type: "DateTime" }),
  }),
});

const historyDays = 7;

const QueueDayType = builder.objectRef<QueueDayAnswer>("QueueDay").implement({
  fields: (t) => ({
    day: t.exposeString("day", { description: "In UTC, e.g. 2026-11-24" }),
    submitted: t.exposeInt("submitted", { description: "Training jobs" }),
    medianWaitSeconds: t.exposeFloat("medianWaitSeconds", {
      nullable: true,
      description: "From the submission to the first stage, of the jobs that have begun",
    }),
    longestWaitSeconds: t.exposeFloat("longestWaitSeconds", { nullable: true }),
    rankHours: t.exposeFloat("rankHours", { description: "How long ranks were held, by jobs of any kind" }),
  }),
});

const QueueType = builder.objectRef<JobQueue>("Queue").implement({
  fields: (t) => ({
    length: t.exposeInt("length", { description: "How many jobs wait, in all projects" }),
    jobs: t.field({
      type: [WaitingJobType],
      description: "Those that the asker may see, the next first",
      complexity: { multiplier: 1 },
      resolve: ({ jobs }) => [...jobs],
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
    starred: t.boolean(),
    worker: t.id({ description: "Some attempt of them ran on this worker" }),
    sweep: t.id({ description: "Only the jobs of this sweep" }),
  }),
});

const JobSortKeyEnum = builder.enumType("JobSortKey", {
  values: Object.fromEntries(jobSortKeys.map((key) => [key.toUpperCase(), { value: key }])) as {
    [K in JobSortKey as Uppercase<K>]: { value: K };
  },
});

const JobSortInput = builder.inputType("JobSort", {
  fields: (t) => ({
    by: t.field({ type: JobSortKeyEnum, required: true, description: "Jobs without a value come last" }),
    descending: t.boolean({ defaultValue: false }),
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
      orderBy: t.arg({ type: JobOrderEnum, description: "By age; not looked at beside `sort`" }),
      sort: t.arg({ type: JobSortInput, description: "Left out: as orderBy says" }),
      first: t.arg.int(),
      after: t.arg.string(),
    },
    complexity: pageCost,
    resolve: async (_root, args, context, info) => {
      const { services, viewer, work } = context;
      const { orderBy, sort: asked, ...listing } = args;
      const byAge = { by: "submitted", isDescending: orderBy !== "asc" } as const;
      const sort = asked ? { by: asked.by, isDescending: asked.descending ?? false } : byAge;
      const page = await listJobs(services, viewer, { ...listing, sort }, askedOfNodes(context, info, "Job"));
      modelsOfJobs.announce(
        work,
        page.nodes.map(({ id }) => id),
      );
      return page;
    },
  }),
  queue: t.field({
    type: QueueType,
    description: "The jobs that wait for a worker, in the order in which they get one",
    complexity: listCost(limits.listLength),
    resolve: (_root, _args, { services, viewer }) => readQueue(services, viewer),
  }),
  queueHistory: t.field({
    type: [QueueDayType],
    description: "The last days, the oldest first; a key of one project sees what its project did",
    args: { days: t.arg.int({ defaultValue: historyDays, description: `1 to ${mostQueueDays}` }) },
    complexity: listCost(mostQueueDays),
    resolve: async (_root, { days }, { services, viewer }) => [
      ...(await queueHistory(services, viewer, days ?? historyDays)),
    ],
  }),
  job: t.field({
    type: JobType,
    nullable: true,
    complexity: costs.query,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => findJob(services, viewer, id),
  }),
}));

const RetryFromEnum = builder.enumType("RetryFrom", {
  values: {
    CHECKPOINT: { value: "checkpoint", description: "Training goes on from the last checkpoint, if there is one" },
    START: { value: "start", description: "Training begins anew" },
  } as const,
});

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
  markJob: t.field({
    type: JobType,
    complexity: costs.mutation,
    description: "Stars a job or gives it other tags or another note; what is left out stays",
    args: {
      id: t.arg.id({ required: true }),
      starred: t.arg.boolean(),
      tags: t.arg({ type: "JSON", description: "Texts by their names, in place of those it has" }),
      note: t.arg.string({ description: "In place of the one it has; empty: none" }),
    },
    resolve: (_root, { id, ...marks }, { services, viewer }) => markJob(services, viewer, id, readMarks(marks)),
  }),
  setJobPriority: t.field({
    type: JobType,
    complexity: costs.mutation,
    description: "Moves a job in the queue; what runs is not interrupted",
    args: {
      id: t.arg.id({ required: true }),
      priority: t.arg.int({ required: true, description: "1 to 10; 10 goes before 1, equal ones by age" }),
    },
    resolve: (_root, { id, priority }, { services, viewer }) => setPriority(services, viewer, id, priority),
  }),
}));

/** What becomes of an ended job */
builder.mutationFields((t) => ({
  retryJob: t.field({
    type: JobType,
    complexity: costs.mutation,
    description: "Runs an ended job again as a new one, which reuses what its stages made",
    args: {
      id: t.arg.id({ required: true }),
      from: t.arg({ type: RetryFromEnum, description: "Left out: CHECKPOINT" }),
      epochs: t.arg.int({ description: "Left out: as many as before" }),
      maxDuration: t.arg.string({ description: "ISO 8601, such as PT4H; left out: as long as before" }),
      changes: t.arg({ type: "JSON", description: "Any fields of its spec, as a JSON merge patch (RFC 7396)" }),
      idempotencyKey: t.arg.string(),
    },
    resolve: (_root, { id, idempotencyKey, ...asked }, { services, viewer, requestId }) =>
      retryJob(services, viewer, id, soundArguments(retryRequest, asked), { idempotencyKey, requestId }),
  }),
  deleteJob: t.boolean({
    complexity: costs.mutation,
    description: "Deletes a job that has ended; what other jobs use of it stays",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteJob(services, viewer, id);
      return true;
    },
  }),
}));
