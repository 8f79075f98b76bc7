import type { ScheduleAnswer } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import type { ShownSchedule } from "../../imports/schedules/import-schedules.ts";
import { isoOrNull } from "./times.ts";

export function presentSchedule(schedule: ShownSchedule): ScheduleAnswer {
  const { id, projectId, datasetId, importId, sources, everyMinutes, cron, timeZone, adds, state } = schedule;
  const { pauseReason } = schedule;
  const { nextAt, runId, failures, lastAt, lastResult, versionId, createdBy, createdAt } = schedule;
  return {
    id,
    projectId,
    datasetId,
    importId,
    sources: [...sources],
    everyMinutes,
    cron,
    timeZone,
    adds,
    state,
    pauseReason,
    nextAt: isoOrNull(nextAt),
    runId,
    failures,
    lastAt: isoOrNull(lastAt),
    lastResult,
    version: versionId,
    problem: problemOfRow(schedule),
    createdBy,
    createdAt: createdAt.toISOString(),
  };
}
