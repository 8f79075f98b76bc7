import { type NoticeEvent, terminalJobStates } from "@hopwise/contracts";
import { newId } from "../database/ids.ts";
import { problemOfRow } from "../database/stored-json.ts";
import type { NewJobEvent } from "./job-event.ts";
import type { JobRun } from "./job-run.ts";
import type { Tx } from "./job-store.ts";

/** Kinds of jobs that somebody waits for; previews and exports are waited for on their page. */
const kindsToldOf = new Set(["train", "infer", "ingest"]);

/**
 * Writes what people want to hear of, in the transaction of what happened: whoever is killed afterwards, it is told. Of
 * each kind there is one in an attempt. How a sweep's job ends is told with the sweep, when all of its jobs have ended;
 * that one stands still is told at once, or the sweep might never end.
 */
export async function saveNotices(tx: Tx, run: JobRun): Promise<void> {
  const { id: jobId, projectId, kind, attempt, sweepId } = run.job;
  if (!kindsToldOf.has(kind)) return;
  const data = run.events.flatMap((event) => {
    const told = noticeOf(run, event);
    if (sweepId !== null && told?.event !== "stalled") return [];
    return told ? [{ id: newId("notice"), jobId, projectId, attempt, at: event.at, ...told }] : [];
  });
  if (data.length > 0) await tx.notice.createMany({ data, skipDuplicates: true });
  if (sweepId !== null && run.events.some(isEnd))
    await tx.sweep.updateMany({ where: { id: sweepId, isEndDue: false }, data: { isEndDue: true } });
}

const ends: readonly unknown[] = terminalJobStates;

function isEnd({ type, body }: NewJobEvent): boolean {
  return type === "JobStateChanged" && ends.includes(body.state);
}

function noticeOf(run: JobRun, { type, body }: NewJobEvent): { event: NoticeEvent; message: string } | null {
  const job = shownJob(run.job);
  if (type === "IncidentRaised" && body.code === "RANK_STALLED")
    return { event: "stalled", message: `${job} stands still: ${body.message}` };
  if (type !== "JobStateChanged") return null;
  if (body.state === "SUCCEEDED") return { event: "done", message: `${job} is done.` };
  if (body.state !== "FAILED") return null;
  const problem = problemOfRow(run.job);
  return { event: "failed", message: `${job} has failed: ${problem ? problem.detail : "no reason was given."}` };
}

/** A job in a sentence. */
export function shownJob({ id, name }: { readonly id: string; readonly name: string }): string {
  return name === "" ? `Job ${id}` : `Job “${name}”`;
}
