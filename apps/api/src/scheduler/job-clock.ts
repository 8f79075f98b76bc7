import { resourcesOf } from "../database/stored-json.ts";
import type { Job } from "../generated/prisma/client.ts";
import { durationMs } from "./duration.ts";

type TimedJob = Pick<Job, "id" | "startedAt" | "spec">;

/**
 * How long jobs have run. The calendar's clock is asked when a job is first seen, by this process or after a restart;
 * from then on the time is counted by a clock that nobody sets, so that a leap of the calendar ends no job and lets
 * none run on.
 */
export class JobClock {
  readonly #seen = new Map<string, { readonly spentMs: number; readonly at: number }>();

  /** Whether the job has run longer than its maxDuration. */
  isOverdue(job: TimedJob): boolean {
    return this.#spentMs(job) > limitMs(job);
  }

  /** What is left of the job's maxDuration, at least a second: the scheduler ends what is over. */
  remainingMs(job: TimedJob): number {
    return Math.max(1000, Math.round(limitMs(job) - this.#spentMs(job)));
  }

  /** Forgets all other jobs. */
  retain(jobIds: ReadonlySet<string>): void {
    for (const id of this.#seen.keys()) if (!jobIds.has(id)) this.#seen.delete(id);
  }

  #spentMs({ id, startedAt }: TimedJob): number {
    if (startedAt === null) return 0;
    const now = performance.now();
    const seen = this.#seen.get(id) ?? { spentMs: Math.max(0, Date.now() - startedAt.getTime()), at: now };
    this.#seen.set(id, seen);
    return seen.spentMs + now - seen.at;
  }
}

/** How long a job may run; null: the service made it itself, and it runs as long as it takes. */
export function maxDurationOf(job: Pick<Job, "spec">): string | null {
  return resourcesOf(job)?.maxDuration ?? null;
}

function limitMs(job: TimedJob): number {
  const maxDuration = maxDurationOf(job);
  return (maxDuration === null ? null : durationMs(maxDuration)) ?? Number.MAX_SAFE_INTEGER;
}
