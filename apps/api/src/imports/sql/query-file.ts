import { setTimeout as pause } from "node:timers/promises";
import { AppError, limits } from "@hopwise/contracts";
import type { StoredParts } from "../../datasets/stored-parts.ts";
import { passingReason, requireSize } from "../download-file.ts";
import { columnsObjection, jsonLines } from "./json-lines.ts";
import { type DatabaseAccess, openSession } from "./open-session.ts";
import { failureOf, tookTooLong } from "./sql-failure.ts";

export interface QueryFile extends DatabaseAccess {
  readonly name: string;
  readonly query: string;
  /** An answer without a row is a file without a byte; else it is a mistake. */
  readonly mayBeEmpty: boolean;
  readonly parts: StoredParts;
  readonly mostBytes: number;
  /** Until the second try; each further one waits twice as long. */
  readonly firstRetryMs: number;
  readonly onProgress: (bytes: number, rows: number) => void;
  /** Why nothing comes now; null: something does. */
  readonly onWaiting: (reason: string | null) => Promise<void>;
}

const longestRetryMs = 60_000;

/**
 * Keeps the answer of a query as a file of JSON lines. A connection that breaks is no place to go on from: the query
 * runs again, and sees the database as it is then.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_REFUSED, IMPORT_NOT_FOUND, IMPORT_QUERY, IMPORT_SOURCE, REQUEST_TOO_LARGE;
 * the reason of the signal
 */
export async function queryFile(file: QueryFile): Promise<void> {
  const { parts, signal, firstRetryMs, onWaiting } = file;
  for (let failures = 1; ; failures++) {
    await parts.clear();
    try {
      return await tryOnce(file);
    } catch (error) {
      signal.throwIfAborted();
      const reason = passingReason(error);
      if (reason === null) throw error;
      if (failures >= limits.importTries)
        throw new AppError("IMPORT_SOURCE", `${reason} It was tried ${failures} times.`, { cause: error });
      await onWaiting(`${reason} The query is run again.`);
      await pause(Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)), undefined, { signal });
    }
  }
}

async function tryOnce(file: QueryFile): Promise<void> {
  const { parts, querySeconds, signal } = file;
  // The server's own limit is for each piece that is asked for; this one is for all of them.
  const late = AbortSignal.timeout(querySeconds * 1000 + 5000);
  const session = await openSession({ ...file, signal: AbortSignal.any([signal, late]) });
  try {
    await file.onWaiting("The database is at work on the query; no row has come yet.");
    await parts.append(linesOf(session.batches(file.query), file), (bytes) => requireSize(file, bytes));
  } catch (error) {
    throw late.aborted ? tookTooLong(querySeconds) : error;
  } finally {
    await session.close();
  }
}

/** What the database sends; its failures are told from those of the store. */
async function* linesOf(
  batches: ReturnType<Awaited<ReturnType<typeof openSession>>["batches"]>,
  { querySeconds, mayBeEmpty, onProgress, onWaiting }: QueryFile,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let rows = 0;
  let isFirst = true;
  for (;;) {
    const next = await batches.next().catch((error: unknown) => {
      throw failureOf(error, querySeconds);
    });
    if (next.done) break;
    if (isFirst) {
      const objection = columnsObjection(next.value.columns);
      if (objection !== null) throw new AppError("IMPORT_QUERY", objection);
      await onWaiting(null);
      isFirst = false;
    }
    rows += next.value.rows.length;
    if (rows > limits.importedRows)
      throw new AppError("IMPORT_QUERY", `The answer has more than ${limits.importedRows} rows, which is the most.`);
    const piece = Buffer.from(jsonLines(next.value), "utf8");
    if (piece.byteLength === 0) continue;
    bytes += piece.byteLength;
    onProgress(bytes, rows);
    yield piece;
  }
  if (rows === 0 && !mayBeEmpty)
    throw new AppError("IMPORT_QUERY", "The query gives no rows, of which no file is made.");
}
