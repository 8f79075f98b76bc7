import type { WriteBackAnswer } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import type { WriteBack } from "../../generated/prisma/client.ts";
import { wishOf } from "../../write-backs/write-back-row.ts";
import { isoOrNull } from "./times.ts";

export function presentWriteBack(row: WriteBack): WriteBackAnswer {
  const { id, jobId, state, url, credential, schema, table, nodeType, waitReason, exportJobId, createdBy } = row;
  const rowsDone = Number(row.rowsDone);
  const rowsTotal = row.rowsTotal === null ? null : Number(row.rowsTotal);
  const isMoving = state === "RUNNING" && waitReason === null && row.rowsPerSecond !== null && row.rowsPerSecond > 0;
  const etaSeconds = isMoving && rowsTotal !== null ? Math.max(0, rowsTotal - rowsDone) / row.rowsPerSecond! : null;
  return {
    id,
    jobId,
    state,
    url,
    credential,
    schema,
    table,
    nodeType,
    ...wishOf(row),
    rowsDone,
    rowsTotal,
    etaSeconds,
    waitReason,
    exportJobId,
    problem: problemOfRow(row),
    createdBy,
    createdAt: row.createdAt.toISOString(),
    startedAt: isoOrNull(row.startedAt),
    finishedAt: isoOrNull(row.finishedAt),
  };
}
