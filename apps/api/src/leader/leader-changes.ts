import type { PrismaClient, Stage } from "../generated/prisma/client.ts";
import type { ActiveJob } from "../job-state/active-jobs.ts";
import type { JobRun } from "../job-state/job-run.ts";
import { changeJob, type Tx } from "../job-state/job-store.ts";
import type { Leadership } from "./leadership.ts";

export interface LeaderChangesOptions {
  readonly prisma: PrismaClient;
  readonly leadership: Pick<Leadership, "assert">;
  /** After a commit that changed this job. */
  readonly onChanged: (jobId: string) => void;
}

/** Changes of single jobs that only the leader makes: a deposed one's transaction is undone. */
export class LeaderChanges {
  readonly #options: LeaderChangesOptions;

  constructor(options: LeaderChangesOptions) {
    this.#options = options;
  }

  /** @throws LeadershipLost when another process has been elected meanwhile */
  async changeJob(jobId: string, change: (run: JobRun, tx: Tx) => void | Promise<void>): Promise<void> {
    const { prisma, leadership, onChanged } = this.#options;
    await changeJob(prisma, jobId, async (run, tx) => {
      await leadership.assert(tx);
      await change(run, tx);
    });
    onChanged(jobId);
  }

  /** Changes the job if its active stage is still the one that was looked at. @returns null when it is not */
  async changeStage<T>(
    job: ActiveJob,
    seen: Stage,
    change: (run: JobRun, stage: Stage, tx: Tx) => T | Promise<T>,
  ): Promise<T | null> {
    let result: T | null = null;
    await this.changeJob(job.id, async (run, tx) => {
      const stage = run.activeStage;
      if (stage?.index !== seen.index || stage.attempt !== seen.attempt) return;
      result = await change(run, stage, tx);
    });
    return result;
  }
}
