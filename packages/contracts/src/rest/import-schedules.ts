import { z } from "zod";
import { problem } from "../errors/problem.ts";
import { limits } from "../limits.ts";
import { route } from "./route.ts";
import { count, idParams, isoTime, listOf } from "./shapes.ts";

export const scheduleRequest = z
  .strictObject({
    every: z
      .string()
      .regex(/^(?:hourly|daily|weekly|[1-9]\d{0,4}[mhd])$/, "expected hourly, daily, weekly, or like 30m, 6h, 2d")
      .optional()
      .describe(
        `Time between two runs: hourly, daily, weekly, 30m, 6h, 2d; ${limits.scheduleMinutes} minutes or more, unless the operator allows less`,
      ),
    cron: z
      .string()
      .max(200)
      .optional()
      .describe("In place of every: minute, hour, day of the month, month, day of the week; 0 6 * * MON-FRI"),
    timeZone: z
      .string()
      .max(60)
      .optional()
      .describe("That the cron expression is of, like Europe/Berlin; left out: UTC"),
    adds: z
      .boolean()
      .optional()
      .describe("true: each run adds its rows to those of the newest graph; left out: as the import does"),
  })
  .meta({ id: "ScheduleRequest" });
export type ScheduleRequest = z.infer<typeof scheduleRequest>;

export const scheduleAnswer = z
  .object({
    id: z.string(),
    projectId: z.string(),
    datasetId: z.string(),
    importId: z.string().describe("The import that is fetched again: the last one that brought files"),
    sources: z.array(z.string()).describe("Its addresses, without the values of their queries"),
    everyMinutes: count.nullable(),
    cron: z.string().nullable(),
    timeZone: z.string(),
    adds: z.boolean().describe("Each run adds its rows to those of the newest graph"),
    state: z.enum(["ACTIVE", "PAUSED"]),
    pauseReason: z
      .enum(["REQUESTED", "FAILURES", "CREDENTIAL", "USER", "ROLE"])
      .nullable()
      .describe(
        `FAILURES: ${limits.scheduleFailures} in a row, or ${limits.schedulePassingFailures} of a source that may answer again; CREDENTIAL: one that it names is gone; USER, ROLE: whoever made it is gone, or may not import any more`,
      ),
    nextAt: isoTime.nullable().describe("Null while it is paused"),
    runId: z.string().nullable().describe("The import that is under way"),
    failures: count.describe("Failed runs since the last good one"),
    lastAt: isoTime.nullable().describe("When its last run ended"),
    lastResult: z
      .enum(["CHANGED", "UNCHANGED", "FAILED", "CANCELLED"])
      .nullable()
      .describe("UNCHANGED: the source had the same files, and nothing was kept"),
    version: z.string().nullable().describe("The version that the last changed files are in"),
    problem: problem.nullable().describe("Why its last run failed"),
    createdBy: z.string(),
    createdAt: isoTime,
  })
  .meta({ id: "ImportSchedule" });
export type ScheduleAnswer = z.infer<typeof scheduleAnswer>;

const tag = "imports";

export const importScheduleRoutes = {
  createImportSchedule: route({
    method: "POST",
    path: "/v1/imports/:id/schedules",
    tag,
    summary: "Has an import fetched again by schedule; a new version is made where the source has changed",
    params: idParams,
    body: scheduleRequest,
    answers: { 201: scheduleAnswer },
    problems: ["REQUEST_CONFLICT"],
  }),
  listImportSchedules: route({
    method: "GET",
    path: "/v1/import-schedules",
    tag,
    summary: "Schedules by which imports are fetched again, the oldest first",
    query: z.object({ dataset: z.string().max(100).optional() }),
    answers: { 200: listOf(scheduleAnswer) },
  }),
  readImportSchedule: route({
    method: "GET",
    path: "/v1/import-schedules/:id",
    tag,
    summary: "A schedule: when it runs next, and what came of its last run",
    params: idParams,
    answers: { 200: scheduleAnswer },
  }),
  pauseImportSchedule: route({
    method: "POST",
    path: "/v1/import-schedules/:id/pause",
    tag,
    summary: "Starts no more runs; one that is under way goes on to its end",
    params: idParams,
    answers: { 200: scheduleAnswer },
  }),
  resumeImportSchedule: route({
    method: "POST",
    path: "/v1/import-schedules/:id/resume",
    tag,
    summary: "Goes on with a paused schedule at its next time; failures are counted anew",
    params: idParams,
    answers: { 200: scheduleAnswer },
  }),
  deleteImportSchedule: route({
    method: "DELETE",
    path: "/v1/import-schedules/:id",
    tag,
    summary: "Removes a schedule; a run that is under way goes on to its end, and versions stay",
    params: idParams,
    answers: { 204: { description: "It is removed" } },
  }),
};
