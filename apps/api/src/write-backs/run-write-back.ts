import { setTimeout as pause } from "node:timers/promises";
import { AppError, limits } from "@hopwise/contracts";
import { problemOfRow } from "../database/stored-json.ts";
import type { WriteBack } from "../generated/prisma/client.ts";
import { Pace } from "../imports/pace.ts";
import { openCredential } from "../imports/source-credentials.ts";
import type { Services } from "../services.ts";
import { type ExportedTable, findExportedTable } from "./exported-table.ts";
import { addressOf } from "./request-write-back.ts";
import { withWriter } from "./sql/open-writer.ts";
import { DatabaseBroke, renamed } from "./sql/write-failure.ts";
import { writeTable } from "./sql/write-table.ts";
import type { WriteBackHolds } from "./write-back-hold.ts";
import { wishOf } from "./write-back-row.ts";

/** The one write-back that is under way. */
interface Run {
  readonly services: Services;
  readonly holds: WriteBackHolds;
  readonly signal: AbortSignal;
  readonly row: WriteBack;
  readonly exported: ExportedTable;
}

const firstRetryMs = 500;
const longestRetryMs = 60_000;

/**
 * Writes the rows of a write-back, all of them or none. A connection that breaks leaves nothing behind, so each try
 * begins with the first row.
 */
export async function runWriteBack(
  services: Services,
  id: string,
  holds: WriteBackHolds,
  signal: AbortSignal,
): Promise<void> {
  const row = await services.prisma.writeBack.findUniqueOrThrow({ where: { id } });
  const { output } = wishOf(row);
  const exported = await findExportedTable(services, row.jobId, output, row.nodeType);
  if (!exported) throw await notMade(services, row);
  await holds.change(id, { rowsDone: 0n, rowsTotal: BigInt(exported.shape.numRows), waitReason: null });
  await services.integrity.requireBlob(exported.artifact, exported.blob);
  await writeThroughCuts({ services, holds, signal, row, exported });
  const rowsDone = BigInt(exported.shape.numRows);
  await holds.change(id, { state: "SUCCEEDED", rowsDone, finishedAt: new Date(), waitReason: null });
}

async function writeThroughCuts(run: Run): Promise<void> {
  const { holds, signal, row } = run;
  for (let failures = 1; ; failures++) {
    try {
      return await writeOnce(run);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DatabaseBroke)) throw error;
      const said = `${error.message} `.replace(/([^.]) $/, "$1. ");
      if (failures >= limits.writeBackTries)
        throw new AppError("WRITE_BACK_DATABASE", `${said}It was tried ${failures} times; nothing was written.`, {
          cause: error,
        });
      await holds.change(row.id, { waitReason: `${said}It is tried again, from the first row.` });
      await pause(Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)), undefined, { signal });
    }
  }
}

async function writeOnce({ services, holds, signal, row, exported }: Run): Promise<void> {
  const { imports, store } = services;
  const { id, projectId, url, schema, table } = row;
  const { output, columns: names, ...wish } = wishOf(row);
  const { artifact, blob, shape } = exported;
  const pace = new Pace((rows, rowsPerSecond) => holds.change(id, { rowsDone: BigInt(rows), rowsPerSecond }));
  const onWaiting = (waitReason: string | null) => holds.change(id, { waitReason });
  try {
    const credential = await openCredential(services, projectId, row.credential);
    const { guard, querySeconds } = imports;
    const access = { address: addressOf(services, url), credential, guard, querySeconds, signal };
    await withWriter(access, async (client) => {
      await onWaiting(null);
      const write = {
        schema,
        table,
        names,
        shape,
        ...wish,
        onWaiting,
        mark: id,
        comment: `The ${output} of job ${row.jobId}, written by Hopwise (${id})`,
        lines: () => linesOf(store.get(`${artifact.prefix}/${blob.name}`)),
        onRows: (rows: number) => pace.note(rows),
        onCommitting: async () => {
          await pace.settle();
          // What has been cancelled, or is another process's by now, is rolled back.
          await holds.change(id, { isCommitting: true });
        },
      };
      await writeTable(client, write, querySeconds);
    });
  } catch (error) {
    throw renamed(error);
  } finally {
    await pace.settle();
  }
}

async function* linesOf(opened: Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await opened;
}

/** Why there are no rows, though the job that was to make them has ended. */
async function notMade({ prisma }: Services, { exportJobId, output }: WriteBack): Promise<AppError> {
  const job = exportJobId === null ? null : await prisma.job.findUnique({ where: { id: exportJobId } });
  if (!job || job.state === "SUCCEEDED")
    return new AppError("JOB_WITHOUT_RESULTS", `The ${output} are no longer stored; ask for the write-back anew.`);
  const reason = problemOfRow(job)?.detail;
  return new AppError(
    "WRITE_BACK_DATABASE",
    `The job ${job.id}, which was to make the rows, is ${job.state}${reason === undefined ? "." : `: ${reason}`}`,
  );
}
