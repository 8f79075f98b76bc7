import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { jobState, stageState } from "../jobs/job-state.ts";
import { limits } from "../limits.ts";
import { jobEstimate } from "./estimate.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, metrics, pageOf, pageQuery } from "./shapes.ts";

export const jobAnswer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    createdBy: z.string(),
    kind: z.string().describe("train, infer, or map, ingest, export (made by the service)"),
    name: z.string(),
    state: jobState,
    waitReason: z.string().nullable().describe("Why no worker has its next stage; null when one has"),
    spec: z.record(z.string(), z.unknown()).describe("Resolved, with every default"),
    tags: z.record(z.string(), z.string()),
    starred: z.boolean().describe("Set by hand, for everybody who sees the job"),
    note: z.string().describe("What people wrote about it; empty: nothing"),
    datasetName: z
      .string()
      .nullable()
      .describe("Null, as are modelType, numRanks and result, for a job that neither trains nor applies a model"),
    modelType: z.string().nullable(),
    numRanks: count.nullable().describe("As asked for"),
    result: z.number().nullable().describe("Its task's chief metric on the test set; null without a model"),
    priority: z.number().int(),
    datasetVersionId: z.string().nullable(),
    sourceJobId: z.string().nullable().describe("The job whose results it exports"),
    sweepId: z.string().nullable().describe("The sweep that it belongs to"),
    endsTraining: z.boolean().describe("Its training was told to end where it is, before its last epoch"),
    attempt: count.describe("Number of the current attempt; 0 before the first"),
    cursor: z.string().describe("Cursor of its newest event: subscribe after it"),
    estimate: jobEstimate.nullable(),
    problem: problem.nullable(),
    createdAt: isoTime,
    startedAt: isoTime.nullable(),
    finishedAt: isoTime.nullable(),
  })
  .meta({ id: "Job" });
export type JobAnswer = z.infer<typeof jobAnswer>;

export const stageAnswer = z
  .object({
    index: count,
    kind: z.string().describe("Name of the step component"),
    state: stageState,
    cached: z.boolean().describe("An equal artifact was there already: it did not run"),
    attempt: count,
    ranks: count,
    phase: z.string().nullable(),
    completed: count.nullable(),
    total: count.nullable(),
    unit: z.string().nullable(),
    etaSeconds: z.number().nullable(),
    outputId: z.string().nullable().describe("The artifact that it made or found"),
    problem: problem.nullable(),
    startedAt: isoTime.nullable(),
    finishedAt: isoTime.nullable(),
  })
  .meta({ id: "Stage" });
export type StageAnswer = z.infer<typeof stageAnswer>;

export const matchedRowsAnswer = z
  .object({
    known: count.describe("Nodes of which the model that the job applies has a learned row"),
    unseen: count.describe("Nodes that would have one, had the model been trained on this dataset version"),
    unseenIds: z.array(z.string()).describe("The first of these, five at most"),
    text: z.string().describe("The same in words, and what the rows of these nodes are computed from"),
    url: z.string().describe("All of them as CSV: their ids, and types where nodes have such"),
  })
  .meta({ id: "MatchedRows" });
export type MatchedRowsAnswer = z.infer<typeof matchedRowsAnswer>;

export const jobDetails = jobAnswer
  .extend({
    stages: z.array(stageAnswer),
    learnedRows: matchedRowsAnswer
      .nullable()
      .describe(
        "Whose the learned rows are of the model that the job applies; null before that is known, and where it has none",
      ),
    metrics: metrics
      .nullable()
      .describe("Figures of the model that it trained or applied; null as long as there are none"),
  })
  .meta({ id: "JobDetails" });
export type JobDetails = z.infer<typeof jobDetails>;

/** What a list of jobs can be sorted by. */
export const jobSortKeys = ["submitted", "name", "owner", "dataset", "model", "ranks", "result"] as const;
export type JobSortKey = (typeof jobSortKeys)[number];

/** A tag's name and what it says. */
const jobTags = z
  .record(z.string().min(1).max(64), z.string().max(200))
  .refine((tags) => Object.keys(tags).length <= limits.jobTags, {
    message: `a job has at most ${limits.jobTags} tags`,
  });

export const jobMarks = z
  .strictObject({
    starred: z.boolean().optional(),
    tags: jobTags.optional().describe("In place of those it has"),
    note: z.string().max(limits.jobNoteLength).optional().describe("In place of the one it has; empty: none"),
  })
  .meta({ id: "JobMarks" });
export type JobMarks = z.infer<typeof jobMarks>;

export const jobsQuery = pageQuery.extend({
  state: z.enum(["QUEUED", "RUNNING", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"]).optional(),
  kind: z.string().optional(),
  dataset: z.string().optional(),
  worker: z.string().max(200).optional().describe("Some attempt of them ran on this worker"),
  sweep: z.string().max(100).optional().describe("Only the jobs of this sweep"),
  search: z.string().max(200).optional(),
  starred: z.enum(["true", "false"]).optional(),
  sort: z
    .enum(jobSortKeys.flatMap((key) => [key, `-${key}` as const]))
    .optional()
    .describe("Left out: -submitted, the newest first. With a minus the other way; jobs without a value come last"),
});

export const retryRequest = z
  .strictObject({
    from: z
      .enum(["checkpoint", "start"])
      .default("checkpoint")
      .describe("checkpoint: training goes on from the last one, if there is one; start: it begins anew"),
    epochs: z.number().int().min(1).max(100_000).optional().describe("Left out: as many as before"),
    maxDuration: z.iso.duration().optional().describe("Left out: as long as before"),
    changes: z
      .record(z.string(), z.unknown())
      .default({})
      .describe(
        "Any other fields of the spec, as a JSON merge patch (RFC 7396) on the job's own: null takes one away. What a checkpoint cannot go on with is refused with its place",
      ),
  })
  .meta({ id: "RetryRequest" });
export type RetryRequest = z.infer<typeof retryRequest>;

const tag = "jobs";
const spec = z
  .unknown()
  .describe("JobSpec or InferSpec: GET /v1/schemas/job-spec.json, GET /v1/schemas/infer-spec.json");
const consumes = ["application/json", "application/yaml"];
/** What is found wrong in a job spec, or in the dataset that it names. */
export const ofSpec = [
  "JOB_SPEC_INVALID",
  "SPEC_INVALID",
  "COMPONENT_UNKNOWN",
  "REQUEST_NOT_FOUND",
  "DATASET_NOT_READY",
] as const;

/** What its project may hold, have waiting and use. */
export const ofProject = ["PROJECT_LIMIT", "PROJECT_QUEUE_FULL", "PROJECT_HOURS_USED"] as const;

/** A request that may be repeated. */
export const idempotent = z.object({
  "idempotency-key": z.string().optional().describe("The same key and request again give what is there"),
});

export const jobRoutes = {
  listJobs: route({
    method: "GET",
    path: "/v1/jobs",
    tag,
    summary: "The jobs, newest first unless sorted otherwise",
    query: jobsQuery,
    answers: { 200: pageOf(jobAnswer) },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  submitJob: route({
    method: "POST",
    path: "/v1/jobs",
    tag,
    summary: "Submits a job that trains a model or applies one",
    headers: idempotent,
    body: spec,
    consumes,
    answers: { 202: jobAnswer },
    problems: [...ofSpec, ...ofProject, "JOB_DEVICE_UNAVAILABLE", "JOB_TOO_LARGE", "REQUEST_CONFLICT"],
  }),
  estimateJob: route({
    method: "POST",
    path: "/v1/jobs/estimate",
    tag,
    summary: "What a job would need, without submitting it",
    body: spec,
    consumes,
    answers: { 200: jobEstimate },
    problems: ofSpec,
  }),
  readJob: route({
    method: "GET",
    path: "/v1/jobs/:id",
    tag,
    summary: "A job with its stages and final metrics",
    params: idParams,
    answers: { 200: jobDetails },
  }),
  cancelJob: route({
    method: "POST",
    path: "/v1/jobs/:id/cancel",
    tag,
    summary: "Has a job stopped",
    params: idParams,
    answers: { 202: jobAnswer },
    problems: ["JOB_FINISHED", "REQUEST_CONFLICT"],
  }),
  endTraining: route({
    method: "POST",
    path: "/v1/jobs/:id/end-training",
    tag,
    summary: "Has a training end where it is, with the best model so far as its result",
    params: idParams,
    answers: { 202: jobAnswer },
    problems: ["JOB_FINISHED", "REQUEST_CONFLICT"],
  }),
  markJob: route({
    method: "PUT",
    path: "/v1/jobs/:id/marks",
    tag,
    summary: "Stars a job or gives it other tags or another note; what is left out stays",
    params: idParams,
    body: jobMarks,
    answers: { 200: jobAnswer },
  }),
  setJobPriority: route({
    method: "PUT",
    path: "/v1/jobs/:id/priority",
    tag,
    summary: "Moves a job in the queue; what runs is not interrupted",
    params: idParams,
    body: z.strictObject({ priority: z.number().int().min(1).max(10).describe("10 goes before 1; equal ones by age") }),
    answers: { 200: jobAnswer },
    problems: ["JOB_FINISHED"],
  }),
  retryJob: route({
    method: "POST",
    path: "/v1/jobs/:id/retry",
    tag,
    summary: "Runs an ended job again as a new one, which reuses what its stages made",
    params: idParams,
    headers: idempotent,
    body: retryRequest,
    answers: { 202: jobAnswer },
    problems: [...ofSpec, ...ofProject, "JOB_DEVICE_UNAVAILABLE", "JOB_TOO_LARGE", "REQUEST_CONFLICT"],
  }),
  deleteJob: route({
    method: "DELETE",
    path: "/v1/jobs/:id",
    tag,
    summary: "Deletes a job that has ended; what other jobs use of it stays",
    params: idParams,
    answers: { 204: { description: "It is deleted" } },
    problems: ["REQUEST_CONFLICT"],
  }),
};
