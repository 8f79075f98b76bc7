import { limits, scheduleRequest } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import { ImportSchedulePause, ImportScheduleResult, ImportScheduleState } from "../../generated/prisma/enums.ts";
import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  type ShownSchedule,
} from "../../imports/schedules/import-schedules.ts";
import { builder } from "../base/builder.ts";
import { contractInput } from "../base/contract-input.ts";
import { costs, listCost } from "../base/costs.ts";
import { ProblemType } from "./problem.ts";

const PauseReason = builder.enumType(ImportSchedulePause, { name: "ImportSchedulePause" });
const Result = builder.enumType(ImportScheduleResult, { name: "ImportScheduleResult" });

const ImportScheduleType = builder.objectRef<ShownSchedule>("ImportSchedule").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    projectId: t.exposeID("projectId"),
    datasetId: t.exposeID("datasetId"),
    importId: t.exposeID("importId", {
      description: "The import that is fetched again: the last one that brought files",
    }),
    sources: t.stringList({
      description: "Its addresses, without the values of their queries",
      resolve: ({ sources }) => [...sources],
    }),
    everyMinutes: t.exposeInt("everyMinutes", { nullable: true }),
    cron: t.exposeString("cron", { nullable: true }),
    timeZone: t.exposeString("timeZone"),
    adds: t.exposeBoolean("adds", { description: "Whether each run adds its rows to those of the newest graph" }),
    state: t.field({
      type: builder.enumType(ImportScheduleState, { name: "ImportScheduleState" }),
      resolve: ({ state }) => state,
    }),
    pauseReason: t.field({
      type: PauseReason,
      nullable: true,
      description: "Who or what paused it: CREDENTIAL, USER and ROLE are gone, FAILURES came in a row",
      resolve: ({ pauseReason }) => pauseReason,
    }),
    nextAt: t.expose("nextAt", { type: "DateTime", nullable: true, description: "Null while it is paused" }),
    runId: t.exposeID("runId", { nullable: true, description: "The import that is under way" }),
    failures: t.exposeInt("failures", { description: "Failed runs since the last good one" }),
    lastAt: t.expose("lastAt", { type: "DateTime", nullable: true, description: "When its last run ended" }),
    lastResult: t.field({
      type: Result,
      nullable: true,
      description: "UNCHANGED: the source had the same files, and nothing was kept",
      resolve: ({ lastResult }) => lastResult,
    }),
    version: t.exposeID("versionId", {
      nullable: true,
      description: "The version that the last changed files are in",
    }),
    problem: t.field({
      type: ProblemType,
      nullable: true,
      description: "Why its last run failed",
      resolve: (row) => problemOfRow(row),
    }),
    createdBy: t.exposeString("createdBy"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const ScheduleInput = builder.inputType("ImportScheduleInput", {
  fields: (t) => ({
    every: t.string({ description: "Time between two runs: hourly, daily, weekly, or like 30m, 6h, 2d" }),
    cron: t.string({ description: "In place of every: a cron expression of five fields" }),
    timeZone: t.string({ description: "That the cron expression is of; left out: UTC" }),
  }),
});

builder.queryField("importSchedules", (t) =>
  t.field({
    type: [ImportScheduleType],
    description: "Schedules by which imports are fetched again, the oldest first",
    complexity: listCost(limits.listLength),
    args: { dataset: t.arg.id() },
    resolve: async (_root, { dataset }, { services, viewer }) => [...(await listSchedules(services, viewer, dataset))],
  }),
);

builder.mutationFields((t) => ({
  createImportSchedule: t.field({
    type: ImportScheduleType,
    complexity: costs.mutation,
    description: "Has an import fetched again by schedule; a new version is made where the source has changed",
    args: { import: t.arg.id({ required: true }), input: t.arg({ type: ScheduleInput, required: true }) },
    resolve: (_root, { import: id, input }, { services, viewer }) =>
      createSchedule(services, viewer, id, contractInput(scheduleRequest, input)),
  }),
  pauseImportSchedule: t.field({
    type: ImportScheduleType,
    complexity: costs.mutation,
    description: "Starts no more runs; one that is under way goes on to its end",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => pauseSchedule(services, viewer, id),
  }),
  resumeImportSchedule: t.field({
    type: ImportScheduleType,
    complexity: costs.mutation,
    description: "Goes on with a paused schedule at its next time; failures are counted anew",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { services, viewer }) => resumeSchedule(services, viewer, id),
  }),
  deleteImportSchedule: t.boolean({
    complexity: costs.mutation,
    description: "Removes a schedule; versions stay. True: it was there",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, { services, viewer }) => {
      await deleteSchedule(services, viewer, id);
      return true;
    },
  }),
}));
