import { keyName, type WorkerEvent } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { JobRun } from "../scheduler/job-run.ts";
import { lockJobs, saveJobRun, type Tx, transactionLimits } from "../scheduler/job-store.ts";
import type { Leadership } from "../scheduler/leader.ts";
import { type ApplyOptions, applyWorkerEvent, judgeEvent } from "./apply-worker-event.ts";

export interface PersistOptions extends ApplyOptions {
  readonly prisma: PrismaClient;
  readonly leadership: Pick<Leadership, "assert">;
}

export interface PersistResult {
  /** Name of the stage's slice → highest seq that the worker may forget. */
  readonly acked: ReadonlyMap<string, number>;
  /** Jobs with new JobEvents. */
  readonly changedJobs: readonly string[];
  /** Some event is missing in between: workers must send again. */
  readonly hasGap: boolean;
}

/**
 * Persists a batch in one transaction: events in seq order per (job, attempt, stage, slice) with all their effects, or nothing.
 *
 * @throws LeadershipLost when another process has been elected; nothing is written
 */
export async function persistEvents(events: readonly WorkerEvent[], options: PersistOptions): Promise<PersistResult> {
  return options.prisma.$transaction((tx) => persistBatch(tx, events, options), transactionLimits);
}

async function persistBatch(tx: Tx, events: readonly WorkerEvent[], options: PersistOptions): Promise<PersistResult> {
  await options.leadership.assert(tx);
  const runs = await lockJobs(
    tx,
    events.map(({ jobId }) => jobId),
  );
  const acked = new Map<string, number>();
  let hasGap = false;
  for (const event of events) {
    const verdict = applyOne(runs.get(event.jobId), event, options);
    if (verdict === null) hasGap = true;
    else acked.set(keyName(event), Math.max(acked.get(keyName(event)) ?? 0, verdict));
  }
  const changedJobs: string[] = [];
  for (const run of runs.values()) {
    if (run.events.length > 0) changedJobs.push(run.job.id);
    await saveJobRun(tx, run);
  }
  return { acked, changedJobs, hasGap };
}

/** @returns the seq up to which the worker may forget, or null at a gap */
function applyOne(run: JobRun | undefined, event: WorkerEvent, options: PersistOptions): number | null {
  if (!run) return event.seq; // the job has been deleted
  const verdict = judgeEvent(run, event);
  if (verdict === "gap") return null;
  if (verdict === "apply") applyWorkerEvent(run, event, options);
  const persisted = run.persistedSeq(event);
  return verdict === "fenced" ? Math.max(event.seq, persisted) : persisted;
}
