import { z } from "zod";
import { jobState } from "../jobs/job-state.ts";
import { modelName } from "../jobs/model-ref.ts";
import { sweepRequest } from "../jobs/sweep-request.ts";
import { idempotent, ofProject, ofSpec } from "./jobs.ts";
import { modelStage, modelVersionAnswer } from "./models.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, pageOf, pageQuery } from "./shapes.ts";

const sweepCounts = z
  .object({ jobs: count, waiting: count, running: count, succeeded: count, failed: count, cancelled: count })
  .describe("Its jobs by what has become of them; those that were deleted are not counted")
  .meta({ id: "SweepCounts" });

export const sweepAnswer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    createdBy: z.string(),
    name: z.string(),
    dataset: z.string().describe("The dataset version that all its jobs are trained on, id@number"),
    datasetName: z.string(),
    numSettings: count,
    counts: sweepCounts,
    createdAt: isoTime,
    finishedAt: isoTime.nullable().describe("When its last job ended; null as long as one goes on"),
  })
  .meta({ id: "Sweep" });
export type SweepAnswer = z.infer<typeof sweepAnswer>;

const spread = z
  .object({
    mean: z.number(),
    deviation: z.number().nullable().describe("Standard deviation of the sample; null of a single value"),
    count: count.describe("Jobs that it is taken from"),
  })
  .meta({ id: "Spread" });
export type SpreadAnswer = z.infer<typeof spread>;

const trial = z
  .object({
    jobId: z.string(),
    seed: count,
    state: jobState,
    validation: z.number().nullable(),
    test: z.number().nullable(),
  })
  .describe("A job of a setting")
  .meta({ id: "SweepTrial" });

export const sweepSetting = z
  .object({
    index: count,
    changes: z.record(z.string(), z.unknown()).describe("Values by the paths of their fields, laid over the spec"),
    title: z.string().describe("What it is, in words"),
    validation: spread.nullable().describe("The chief metric over the seeds; null: no job has succeeded yet"),
    test: spread.nullable(),
    trials: z.array(trial),
  })
  .meta({ id: "SweepSetting" });
export type SweepSettingAnswer = z.infer<typeof sweepSetting>;

const sweepSearch = z
  .object({
    budgetSeconds: z.number(),
    hasEnded: z.boolean().describe("Whether it decides nothing any more"),
    decisions: z.array(z.string()).describe("What was decided and why, in words"),
  })
  .meta({ id: "SweepSearch" });

const sweepBest = z
  .object({
    setting: count.describe("Index of the setting"),
    jobId: z.string().describe("Its job that did best on the validation set: the one that is promoted"),
    reason: z.string().describe("Why this one, in words"),
  })
  .meta({ id: "SweepBest" });

export const sweepDetails = sweepAnswer
  .extend({
    spec: z.record(z.string(), z.unknown()).describe("The job spec that the settings are laid over, as it was sent"),
    grid: z.record(z.string(), z.array(z.unknown())),
    seeds: z.array(count),
    metric: z
      .string()
      .nullable()
      .describe("What settings are judged by, such as accuracy: the task's chief metric, on the validation set"),
    direction: z.enum(["max", "min"]).nullable().describe("Whether more or less of it is better"),
    search: sweepSearch.nullable().describe("How a sweep that looks for settings itself gets on; null: it is a grid"),
    settings: z.array(sweepSetting),
    best: sweepBest.nullable().describe("Null as long as no job has succeeded"),
  })
  .meta({ id: "SweepDetails" });
export type SweepDetails = z.infer<typeof sweepDetails>;

export const promoteSweepRequest = z
  .strictObject({
    name: modelName.describe("Name of a new model, or of one that gets another version"),
    stage: modelStage.default("candidate").describe("Where the version stands then"),
  })
  .meta({ id: "PromoteSweepRequest" });
export type PromoteSweepRequest = z.infer<typeof promoteSweepRequest>;

const tag = "sweeps";

export const sweepRoutes = {
  listSweeps: route({
    method: "GET",
    path: "/v1/sweeps",
    tag,
    summary: "The sweeps, newest first",
    query: pageQuery,
    answers: { 200: pageOf(sweepAnswer) },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  submitSweep: route({
    method: "POST",
    path: "/v1/sweeps",
    tag,
    summary: "Submits the settings of a grid as training jobs, each with every seed, or a search for the best setting",
    headers: idempotent,
    body: sweepRequest,
    answers: { 202: sweepAnswer },
    problems: [...ofSpec, ...ofProject, "JOB_DEVICE_UNAVAILABLE", "JOB_TOO_LARGE", "REQUEST_CONFLICT"],
  }),
  readSweep: route({
    method: "GET",
    path: "/v1/sweeps/:id",
    tag,
    summary: "A sweep with its settings, each with mean and deviation over its seeds, and the best of them",
    params: idParams,
    answers: { 200: sweepDetails },
  }),
  cancelSweep: route({
    method: "POST",
    path: "/v1/sweeps/:id/cancel",
    tag,
    summary: "Has all its jobs stopped that have not ended; a search tries nothing more",
    params: idParams,
    answers: { 202: sweepAnswer },
  }),
  promoteSweep: route({
    method: "POST",
    path: "/v1/sweeps/:id/promote",
    tag,
    summary: "Keeps the model of its best setting as the next version under a name",
    params: idParams,
    body: promoteSweepRequest,
    answers: { 201: modelVersionAnswer },
    problems: ["REQUEST_CONFLICT", "JOB_WITHOUT_RESULTS"],
  }),
  deleteSweep: route({
    method: "DELETE",
    path: "/v1/sweeps/:id",
    tag,
    summary: "Deletes a sweep with its jobs, which must have ended; models that are kept stay",
    params: idParams,
    answers: { 204: { description: "It is deleted" } },
    problems: ["REQUEST_CONFLICT"],
  }),
};
