import type { Registry } from "@hopwise/gnn-core/spec";
import type { PrismaClient } from "../generated/prisma/client.ts";
import { type ActiveJob, activeStageOf } from "../job-state/active-jobs.ts";
import type { Leadership } from "../leader/leadership.ts";
import { OneByOne } from "../leader/one-by-one.ts";
import type { Logger } from "../logger.ts";
import type { WorkerDirectory } from "../workers/worker-directory.ts";
import type { DamageSearch } from "./damage-search.ts";
import { grantNextStage } from "./grant.ts";
import type { JobClock } from "./job-clock.ts";
import type { WorkerView } from "./need.ts";
import type { ProjectShare } from "./project-share.ts";
import { ProjectShares } from "./project-shares.ts";
import type { Waiting } from "./queue-on-workers.ts";
import { SpaceWait } from "./space-wait.ts";
import type { StageQueues } from "./stage-queues.ts";
import { workerViews } from "./worker-views.ts";

export interface GranterOptions {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly log: Logger;
  readonly leadership: Pick<Leadership, "assert">;
  readonly directory: WorkerDirectory;
  readonly queues: StageQueues;
  readonly clock: JobClock;
  /** Looks for files that a worker found damaged as a job read them; null: nobody looks. */
  readonly damageSearch: DamageSearch | null;
  /** The dataset versions whose damaged graph is queued to be made again. */
  readonly remakes: Pick<OneByOne, "hasFailed">;
  /** After a commit that changed this job. */
  readonly onChanged: (jobId: string) => void;
}

/** Gives workers' free slots to the jobs that wait, in their order, and enqueues what was granted. */
export class Granter {
  readonly #options: GranterOptions;
  /** Jobs that wait, with what was true when they last asked in vain, and what is kept for them as long as it is. */
  readonly #waiting = new Map<string, { readonly asked: string; readonly grant: Waiting }>();
  readonly #spaceWait = new SpaceWait();
  readonly #shares: ProjectShares;
  readonly #oneByOne: OneByOne;

  constructor(options: GranterOptions) {
    this.#options = options;
    this.#shares = new ProjectShares(options.prisma);
    this.#oneByOne = new OneByOne(options.log, "jobId");
  }

  /** @returns whether any job changed */
  async grant(jobs: readonly ActiveJob[]): Promise<boolean> {
    const stages = jobs.flatMap((job) => activeStageOf(job) ?? []);
    const workers = workerViews(this.#options.directory.present(), stages);
    const isWaiting = (job: ActiveJob) => job.state !== "CANCELLING" && activeStageOf(job) === null;
    const isHeld = (job: ActiveJob) => this.#spaceWait.holds(job) || this.#options.damageSearch?.holds(job) === true;
    const waiting = jobs.filter((job) => isWaiting(job) && !isHeld(job));
    const shares = await this.#shares.read(jobs, waiting);
    const shareOf = ({ projectId }: ActiveJob) => shares.get(projectId) ?? null;
    const hasChanged = await this.#oneByOne.act(waiting, (job) => this.#grantOne(job, workers, shareOf(job)));
    this.#spaceWait.retain(jobs);
    const active = new Set(waiting.map(({ id }) => id));
    for (const jobId of this.#waiting.keys()) if (!active.has(jobId)) this.#waiting.delete(jobId);
    return hasChanged;
  }

  async #grantOne(job: ActiveJob, workers: readonly WorkerView[], share: ProjectShare | null): Promise<boolean> {
    const { prisma, registry, leadership, clock, remakes, log, queues, onChanged } = this.#options;
    const asked = JSON.stringify([job.cursor, workers.map(signatureOf), share?.signature]);
    const before = this.#waiting.get(job.id);
    if (before?.asked === asked) {
      keepFor(before.grant, workers, share);
      return false;
    }
    const grant = await grantNextStage(job.id, workers, { prisma, registry, leadership, clock, share, remakes });
    if (grant.kind === "waiting") {
      if (!grant.askAgain) this.#waiting.set(job.id, { asked, grant });
      log.debug({ jobId: job.id, reason: grant.reason }, "the job waits");
      keepFor(grant, workers, share);
      return false;
    }
    this.#waiting.delete(job.id);
    onChanged(job.id);
    if (grant.kind !== "queued") return true;
    for (const { workerId, task } of grant.tasks) {
      const { attempt, step, ranks, slice } = task;
      log.info({ jobId: job.id, attempt, step, ranks, slice, workerId }, "the stage is granted");
      await queues.enqueue(workerId, task);
    }
    return true;
  }
}

/** Keeps for a job that waits what it lacks; jobs that need nothing of it go on there. In every round anew. */
function keepFor({ reserve, lacks, keep }: Waiting, workers: readonly WorkerView[], share: ProjectShare | null): void {
  const ids = new Set(reserve.map(({ announcement }) => announcement.id));
  for (const worker of workers) if (ids.has(worker.announcement.id)) keepWorker(worker, lacks);
  if (keep) share?.keep(keep);
}

function keepWorker(worker: WorkerView, lacks: "slots" | "devices"): void {
  if (lacks === "slots") worker.freeSlots = 0;
  else for (const { uuid } of worker.announcement.devices) if (uuid !== null) worker.takenDevices.add(uuid);
}

/** What of a worker decides whether asking again can help. */
function signatureOf({ announcement, refusal, freeSlots, takenDevices }: WorkerView): unknown[] {
  const { id, bootId, slots, draining, rankAddress, devices } = announcement;
  const given = devices.map(({ uuid }) => (uuid !== null && takenDevices.has(uuid) ? `${uuid} taken` : uuid));
  return [id, bootId, slots, draining, rankAddress, refusal, freeSlots, given];
}
