import type { JobEventContent, Member } from "@hopwise/contracts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { JobRun } from "./job-run.ts";

/*
 * What a job tells comes by the thousand. Rows go to the database as one JSON text a table, which it takes apart: a
 * parameter for each value costs several times as much, on both sides.
 */

/** Writes what subscribers must hear, numbered on from the job's cursor, and what of it is kept by kind. */
export async function saveEvents(tx: Prisma.TransactionClient, run: JobRun): Promise<void> {
  if (run.events.length === 0) return;
  const rows = run.events.map(({ at, attempt, stageIndex, type, body }, i) => ({
    at,
    attempt,
    stageIndex,
    cursor: run.job.cursor + i + 1,
    ...({ type, body } as JobEventContent),
  }));
  run.job.cursor += rows.length;
  const { id: jobId, projectId, createdBy } = run.job;
  await tx.$executeRaw`
    INSERT INTO "JobEvent" ("jobId", "projectId", "createdBy", "cursor", "attempt", "stageIndex", "type", "at", "body")
    SELECT ${jobId}, ${projectId}, ${createdBy}, r."cursor", r."attempt", r."stageIndex", r."type", r."at", r."body"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r("cursor" int, "attempt" int, "stageIndex" int, "type" text, "at" timestamptz, "body" jsonb)`;
  await saveLogs(tx, run, rows);
  const incidents = rows.flatMap(({ type, body, ...place }) => {
    if (type !== "IncidentRaised") return [];
    const { member, ...incident } = body;
    return [{ jobId, projectId, createdBy, ...place, ...incident, ...memberColumns(member) }];
  });
  if (incidents.length > 0) await tx.incident.createMany({ data: incidents });
}

type Row = JobEventContent & { readonly cursor: number; readonly attempt: number; readonly at: Date };

async function saveLogs(tx: Prisma.TransactionClient, run: JobRun, rows: readonly Row[]): Promise<void> {
  const logs = rows.flatMap(({ type, body, ...place }) => {
    if (type !== "LogAppended") return [];
    const { member, ...line } = body;
    return [{ ...place, ...line, ...memberColumns(member) }];
  });
  if (logs.length === 0) return;
  const { id: jobId, projectId, createdBy } = run.job;
  await tx.$executeRaw`
    INSERT INTO "LogLine"
      ("jobId", "projectId", "createdBy", "cursor", "attempt", "stageIndex", "at",
      "level", "memberKind", "memberIndex", "message", "fields")
    SELECT ${jobId}, ${projectId}, ${createdBy}, r."cursor", r."attempt", r."stageIndex", r."at",
      r."level", r."memberKind", r."memberIndex", r."message", r."fields"
    FROM jsonb_to_recordset(${JSON.stringify(logs)}::jsonb) AS r(
      "cursor" int, "attempt" int, "stageIndex" int, "at" timestamptz,
      "level" text, "memberKind" "MemberKind", "memberIndex" int, "message" text, "fields" jsonb)`;
}

function memberColumns(member: Member | null) {
  return { memberKind: member?.kind ?? null, memberIndex: member?.index ?? null };
}

/** Writes the points of the job's series; a later attempt's over an earlier one's. */
export async function saveMetrics(tx: Prisma.TransactionClient, run: JobRun): Promise<void> {
  if (run.metrics.size === 0) return;
  const { id: jobId, projectId, createdBy } = run.job;
  await tx.$executeRaw`
    INSERT INTO "Metric" ("jobId", "projectId", "createdBy", "name", "step", "axis", "value", "attempt", "at")
    SELECT ${jobId}, ${projectId}, ${createdBy}, r."name", r."step", r."axis", r."value", r."attempt", r."at"
    FROM jsonb_to_recordset(${JSON.stringify([...run.metrics.values()])}::jsonb)
      AS r("name" text, "step" int, "axis" text, "value" float8, "attempt" int, "at" timestamptz)
    ON CONFLICT ("jobId", "name", "step") DO UPDATE
    SET "axis" = EXCLUDED."axis", "value" = EXCLUDED."value", "attempt" = EXCLUDED."attempt", "at" = EXCLUDED."at"`;
}
