import { AppError, type JobSpec, resolveJobSpec } from "@hopwise/contracts";
import { specOf } from "../../database/stored-json.ts";
import { Prisma, type Sweep } from "../../generated/prisma/client.ts";
import type { JobRun } from "../../job-state/job-run.ts";
import { changeJob, transactionLimits } from "../../job-state/job-store.ts";
import { insertJobs, type JobServices, type NewJob } from "../../job-state/queue-job.ts";
import { requestCancel } from "../../job-state/transitions/cancel-transitions.ts";
import { requestTrainingEnd } from "../../job-state/transitions/end-training-transition.ts";
import { requireRoomForAll } from "../../jobs/require-room.ts";
import { draftTraining } from "../../jobs/submit-job.ts";
import { type Leadership, LeadershipLost } from "../../leader/leadership.ts";
import type { Logger } from "../../logger.ts";
import { type Changes, type Setting, storedSettings, trialName, withChanges } from "../settings.ts";
import { directionOf } from "../sweep-queries.ts";
import type { Move, Trial } from "./move.ts";
import { nextMove } from "./next-move.ts";
import { foldOf } from "./search-basis.ts";
import { type SearchState, searchOf } from "./search-state.ts";
import type { SearchTrial } from "./search-trials.ts";

type Leader = Pick<Leadership, "assert">;

const everyMs = 1000;
/** A leader that was held up longer than this was not watching: the time is not counted. */
const mostBetweenMs = 5000;

/** A trial with the spec that it is submitted with. */
interface DraftedTrial extends Trial {
  readonly changes: Changes;
  readonly title: string;
  readonly job: NewJob;
  readonly resources: JobSpec["resources"];
}

/**
 * Has searches go on: looks at what their trials came to, and submits the next ones. What was decided is in the
 * database with the jobs that follow from it, so that a leader that is killed is followed by one that does the same.
 * Time counts while a trial runs and a leader looks.
 */
export class Searches {
  readonly #services: JobServices;
  readonly #log: Logger;
  readonly #usedMs = new Map<string, number>();
  #running: Promise<void> | null = null;
  #lookedAt = 0;

  constructor(services: JobServices, log: Logger) {
    this.#services = services;
    this.#log = log;
  }

  /** Looks at all searches beside the caller's work, unless that is under way or was done a moment ago. */
  startIfDue(leader: Leader): void {
    const now = performance.now();
    if (this.#running || now < this.#lookedAt + everyMs) return;
    const passedMs = this.#lookedAt === 0 ? 0 : Math.min(mostBetweenMs, now - this.#lookedAt);
    this.#lookedAt = now;
    this.#running = this.run(leader, passedMs)
      .catch((err: unknown) => {
        if (!(err instanceof LeadershipLost)) this.#log.warn({ err }, "a look at the searches was cut short");
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /** Resolves when none is being looked at. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /**
   * @param passedMs since the last look
   * @throws LeadershipLost when another process has been elected; nothing is written then
   */
  async run(leader: Leader, passedMs: number): Promise<void> {
    const where = { search: { not: Prisma.DbNull }, searchEndedAt: null };
    const open = await this.#services.prisma.sweep.findMany({ where });
    for (const id of this.#usedMs.keys()) if (!open.some((sweep) => sweep.id === id)) this.#usedMs.delete(id);
    for (const sweep of open) {
      try {
        await this.#advance(leader, sweep, passedMs);
      } catch (err) {
        if (err instanceof LeadershipLost) throw err;
        this.#log.warn({ err, sweepId: sweep.id }, "a search could not go on; it is tried again");
      }
    }
  }

  async #advance(leader: Leader, sweep: Sweep, passedMs: number): Promise<void> {
    const { prisma } = this.#services;
    const state = searchOf(sweep);
    const { chiefMetric: metric } = sweep;
    const direction = directionOf(sweep);
    if (!state || metric === null || direction === null) return;
    const jobs = await trialsOf(prisma, sweep.id);
    const usedMs = this.#timeOf(sweep.id, state, jobs, passedMs);
    const move = nextMove({ state, jobs, usedMs, judge: { metric, direction } });
    if (!move) return;
    for (const jobId of move.cancel) await this.#ask(jobId, (run) => requestCancel(run, new Date()));
    for (const jobId of move.endTraining) await this.#ask(jobId, requestTrainingEnd);
    if (move.cancel.length + move.endTraining.length > 0) return;
    await this.#write(leader, sweep, move);
  }

  #timeOf(id: string, state: SearchState, jobs: readonly SearchTrial[], passedMs: number): number {
    const known = Math.max(state.usedMs, this.#usedMs.get(id) ?? 0);
    const isMoving = jobs.some((job) => job.state === "RUNNING");
    const usedMs = known + (isMoving ? passedMs : 0);
    this.#usedMs.set(id, usedMs);
    return usedMs;
  }

  async #ask(jobId: string, request: (run: JobRun) => void): Promise<void> {
    await changeJob(this.#services.prisma, jobId, (run) => {
      if (!run.hasEnded && run.job.state !== "CANCELLING") request(run);
    });
    this.#services.jobChanged(jobId);
  }

  /** Writes a decision with the jobs that follow from it, if the search is still where it was looked at. */
  async #write(leader: Leader, sweep: Sweep, move: Move): Promise<void> {
    const { prisma, jobChanged } = this.#services;
    const drafted = await this.#draftAll(sweep, move);
    if ("problem" in drafted) return this.#give(leader, sweep, move.state, drafted.problem);
    const settings = settingsWith(sweep, drafted.trials);
    try {
      const jobs = await prisma.$transaction(async (tx) => {
        await leader.assert(tx);
        if (!(await isStill(tx, sweep))) return [];
        if (drafted.trials.length > 0) {
          await requireRoomForAll(
            tx,
            sweep.projectId,
            drafted.trials.map(({ resources }) => resources),
          );
        }
        const data = {
          search: move.state as Prisma.InputJsonObject,
          searchRevision: { increment: 1 },
          settings: settings as readonly object[] as Prisma.InputJsonArray,
          ...(move.hasEnded && { searchEndedAt: new Date(), isEndDue: true }),
        };
        await tx.sweep.update({ where: { id: sweep.id }, data });
        return insertJobs(
          tx,
          { userId: sweep.createdBy },
          drafted.trials.map(({ job }) => job),
        );
      }, transactionLimits);
      for (const { id } of jobs) jobChanged(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A queue that is full has room again; hours of a month that are used up have not.
      if (error.problem.code !== "PROJECT_QUEUE_FULL") await this.#give(leader, sweep, move.state, error);
    }
  }

  async #draftAll(sweep: Sweep, { state, submit }: Move): Promise<{ trials: DraftedTrial[] } | { problem: AppError }> {
    try {
      const trials: DraftedTrial[] = [];
      for (const trial of submit) trials.push(await this.#draft(sweep, state, trial));
      return { trials };
    } catch (error) {
      if (error instanceof AppError) return { problem: error };
      throw error;
    }
  }

  async #draft(sweep: Sweep, state: SearchState, trial: Trial): Promise<DraftedTrial> {
    const { registry } = this.#services;
    const { changes: own = {}, title = "" } = state.candidates[trial.candidate] ?? {};
    const { setting, seed } = trial;
    const changes = { ...own, "train.epochs": trial.epochs };
    const input = withChanges(specOf(sweep), { ...changes, ...foldOf(state, seed), "train.seed": seed });
    const given = { sent: input, resolved: resolveJobSpec(input, registry) };
    const { draft, stages } = await draftTraining(this.#services, sweep.projectId, given);
    const name = trialName(sweep.name, { [`trial ${setting + 1}`]: draft.spec.model.type }, seed);
    const { id: sweepId, chiefMetric } = sweep;
    const row = { ...draft, spec: { ...draft.spec, name }, name, chiefMetric, sweepId, setting, seed };
    return { ...trial, changes, title, job: { draft: row, stages }, resources: draft.spec.resources };
  }

  /** Ends a search that cannot go on, with the reason; what its trials came to counts. */
  async #give(leader: Leader, sweep: Sweep, state: SearchState, problem: AppError): Promise<void> {
    const decisions = [...state.decisions, `The search cannot go on: ${problem.message}`];
    await this.#services.prisma.$transaction(async (tx) => {
      await leader.assert(tx);
      if (!(await isStill(tx, sweep))) return;
      const data = {
        search: { ...state, decisions } as Prisma.InputJsonObject,
        searchRevision: { increment: 1 },
        searchEndedAt: new Date(),
        isEndDue: true,
      };
      await tx.sweep.update({ where: { id: sweep.id }, data });
    }, transactionLimits);
  }
}

const trialColumns = {
  id: true,
  setting: true,
  seed: true,
  state: true,
  desired: true,
  validation: true,
  result: true,
  startedAt: true,
  finishedAt: true,
  stages: { where: { kind: "train" }, select: { finishedAt: true } },
} as const;

async function trialsOf({ job }: JobServices["prisma"], sweepId: string): Promise<SearchTrial[]> {
  const rows = await job.findMany({ where: { sweepId, deletedAt: null }, select: trialColumns });
  return rows.map(({ stages, ...trial }) => ({ ...trial, trainedAt: stages[0]?.finishedAt ?? null }));
}

/** Whether nobody has decided anything since, or has cancelled the search. */
async function isStill(tx: Prisma.TransactionClient, { id, searchRevision }: Sweep): Promise<boolean> {
  await tx.$queryRaw`SELECT id FROM "Sweep" WHERE id = ${id} FOR UPDATE`;
  return (await tx.sweep.findFirst({ where: { id, searchRevision, searchEndedAt: null } })) !== null;
}

function settingsWith(sweep: Sweep, trials: readonly DraftedTrial[]): Setting[] {
  const settings = [...storedSettings(sweep.settings)];
  for (const { setting, changes, title } of trials) settings[setting] = { changes, title };
  return settings;
}
