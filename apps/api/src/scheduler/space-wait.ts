import type { ActiveJob } from "../job-state/active-jobs.ts";
import { codeOf } from "../job-state/transitions/job-transitions.ts";

const firstHoldMs = 10_000;
const longestHoldMs = 300_000;

/**
 * Jobs whose last attempt found a disk full: to try again at once would find the same. Measured from when that was
 * first seen here, by a clock that nobody sets.
 */
export class SpaceWait {
  /** Attempt → when it was first seen, on `performance.now()`. */
  readonly #since = new Map<string, number>();

  /** Whether the job has to wait still: longer, the more attempts it has had. */
  holds({ attempts: [last] }: Pick<ActiveJob, "attempts">, now = performance.now()): boolean {
    if (!last || codeOf(last.problem) !== "STORAGE_FULL") return false;
    const since = this.#since.get(last.id) ?? now;
    this.#since.set(last.id, since);
    return now - since < Math.min(firstHoldMs * 2 ** Math.min(last.number - 1, 10), longestHoldMs);
  }

  /** Forgets attempts that are no job's last any more. */
  retain(jobs: readonly Pick<ActiveJob, "attempts">[]): void {
    const ids = new Set(jobs.map(({ attempts: [last] }) => last?.id));
    for (const id of this.#since.keys()) if (!ids.has(id)) this.#since.delete(id);
  }
}
