import { keyName, type WorkerEvent } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import { lockJobs, saveJobRun, type Tx, transactionLimits } from "../job-state/job-store.ts";
import type { Leadership } from "../leader/leadership.ts";
import { type ApplyOptions, applyWorkerEvent, judgeEvent } from "./apply-worker-event.ts";

export interface PersistOptions extends ApplyOptions {
  readonly prisma: PrismaClient;
  readonly leadership: Pick<Leadership, "assert">;
}

export interface IncomingEvent {
  readonly event: WorkerEvent;
  /** The end of a slice, ahead of events that were not read: for a job that is to stop. */
  readonly isAhead: boolean;
}

export interface PersistResult {
  /** Name of the stage's slice → highest seq that the worker may forget. */
  readonly persisted: ReadonlyMap<string, number>;
  /** Jobs with new JobEvents. */
  readonly changedJobs: readonly string[];
  /** Names of slices with events missing in between: their workers must send again. */
  readonly gaps: ReadonlySet<string>;
}

/**
 * Persists a batch in one transaction: events in seq order per (job, attempt, stage, slice) with all their effects, or
 * nothing.
 *
 * @throws LeadershipLost when another process has been elected; nothing is written
 */
export async function persistEvents(events: readonly IncomingEvent[], options: PersistOptions): Promise<PersistResult> {
  return options.prisma.$transaction((tx) => persistBatch(tx, events, options), transactionLimits);
}

async function persistBatch(tx: Tx, events: readonly IncomingEvent[], options: PersistOptions): Promise<PersistResult> {
  await options.leadership.assert(tx);
  const runs = await lockJobs(
    tx,
    events.map(({ event }) => event.jobId),
  );
  const persisted = new Map<string, number>();
  const gaps = new Set<string>();
  for (const incoming of events) {
    const name = keyName(incoming.event);
    const seq = applyOne(runs.get(incoming.event.jobId), incoming, options);
    if (seq === null) gaps.add(name);
    else persisted.set(name, Math.max(persisted.get(name) ?? 0, seq));
  }
  const changedJobs: string[] = [];
  for (const run of runs.values()) {
    if (run.events.length > 0) changedJobs.push(run.job.id);
    await saveJobRun(tx, run);
  }
  return { persisted, changedJobs, gaps };
}

/** @returns the seq up to which the worker may forget, or null at a gap */
function applyOne(run: JobRun | undefined, incoming: IncomingEvent, options: PersistOptions): number | null {
  const { event, isAhead } = incoming;
  if (!run) return event.seq; // the job has been deleted
  const verdict = judgeEvent(run, event, isAhead);
  if (verdict === "gap") return null;
  if (verdict === "apply") applyWorkerEvent(run, event, options);
  const persisted = run.persistedSeq(event);
  return verdict === "fenced" ? Math.max(event.seq, persisted) : persisted;
}
