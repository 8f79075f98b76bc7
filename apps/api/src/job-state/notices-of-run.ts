import type { NoticeEvent } from "@hopwise/contracts";
import { newId } from "../database/ids.ts";
import { problemOfRow } from "../database/stored-json.ts";
import type { NewJobEvent } from "./job-event.ts";
import type { JobRun } from "./job-run.ts";
import type { Tx } from "./job-store.ts";

/** Kinds of jobs that somebody waits for; previews and exports are waited for on their page. */
const kindsToldOf = new Set(["train", "infer", "ingest"]);

/**
 * Writes what people want to hear of, in the transaction of what happened: whoever is killed afterwards, it is told. Of
 * each kind there is one in an attempt.
 */
export async function saveNotices(tx: Tx, run: JobRun): Promise<void> {
  const { id: jobId, projectId, kind, attempt } = run.job;
  if (!kindsToldOf.has(kind)) return;
  const data = run.events.flatMap((event) => {
    const told = noticeOf(run, event);
    return told ? [{ id: newId("notice"), jobId, projectId, attempt, at: event.at, ...told }] : [];
  });
  if (data.length > 0) await tx.notice.createMany({ data, skipDuplicates: true });
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
