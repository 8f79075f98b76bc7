import { limits, type Problem, problemFrom } from "@hopwise/contracts";
import { problemOfRow } from "../../database/stored-json.ts";
import { type ImportSchedule, type ImportSchedulePause, Prisma } from "../../generated/prisma/client.ts";
import type { Tx } from "../../job-state/job-store.ts";
import type { Leadership } from "../../leader/leadership.ts";
import type { Services } from "../../services.ts";
import { againOf } from "../fetch-again.ts";
import { type ImportWithFiles, loadImport } from "../import-queries.ts";
import { newestOfSource } from "../same-source.ts";
import { nextTime } from "./schedule-time.ts";

export type Leader = Pick<Leadership, "assert">;

/** One look of the leader at what is due. */
export class ScheduleLook {
  readonly #services: Services;
  readonly #leader: Leader;
  readonly #now: Date;

  constructor(services: Services, leader: Leader, now: Date) {
    this.#services = services;
    this.#leader = leader;
    this.#now = now;
  }

  /** @returns whether anything was changed */
  async advance(schedule: ImportSchedule, isGone: boolean): Promise<boolean> {
    const { id, runId } = schedule;
    if (isGone) return this.#write(async (tx) => (await tx.importSchedule.deleteMany({ where: { id } })).count);
    return runId === null ? this.#start(schedule) : this.#noteEnd(schedule, runId);
  }

  async #noteEnd(schedule: ImportSchedule, runId: string): Promise<boolean> {
    const run = await this.#services.prisma.import.findUnique({ where: { id: runId } });
    if (run?.state === "WAITING" || run?.state === "RUNNING") return false;
    const where = { id: schedule.id, runId };
    const lastAt = run?.finishedAt ?? this.#now;
    if (run?.state === "FAILED") {
      const failed = this.#failureOf(schedule, problemOfRow(run), schedule.nextAt);
      return this.#write((tx) => noteFailure(tx, schedule, where, { ...failed, lastAt }));
    }
    const good = { importId: runId, versionId: run?.versionId ?? null, failures: 0, problem: Prisma.DbNull };
    const hasChanged = run?.state === "SUCCEEDED";
    const data = { lastAt, lastResult: hasChanged ? "CHANGED" : "CANCELLED", ...(hasChanged && good) } as const;
    return this.#write(async (tx) => {
      return (await tx.importSchedule.updateMany({ where, data: { ...data, runId: null } })).count;
    });
  }

  async #start(schedule: ImportSchedule): Promise<boolean> {
    const { prisma, imports } = this.#services;
    const { id, projectId, importId, nextAt } = schedule;
    const due = { id, state: "ACTIVE", runId: null, nextAt } as const;
    const last = await loadImport(this.#services, importId);
    const pauseReason = await this.#missing(schedule, last);
    if (pauseReason !== null) {
      const data = { state: "PAUSED", pauseReason, nextAt: null } as const;
      return this.#write(async (tx) => (await tx.importSchedule.updateMany({ where: due, data })).count);
    }
    // An import that waits or runs, whoever asked for it, is waited for where the project has no room for another.
    const active = await prisma.import.count({ where: { projectId, state: { in: ["WAITING", "RUNNING"] } } });
    if (active >= limits.importsPerProject) return false;
    const next = this.#nextOf(schedule);
    const run = await this.#planned(schedule, last);
    if ("code" in run) {
      const failed = this.#failureOf(schedule, run, next);
      return this.#write((tx) => noteFailure(tx, schedule, due, { ...failed, lastAt: this.#now }));
    }
    const hasStarted = await this.#write(async (tx) => {
      const data = { runId: run.id, nextAt: next };
      const { count } = await tx.importSchedule.updateMany({ where: due, data });
      if (count === 1) await tx.import.create({ data: run });
      return count;
    });
    if (hasStarted) imports.importer.wake();
    return hasStarted;
  }

  /** The time after this one: a run that was late is not followed at once by the one after it. */
  #nextOf({ nextAt, anchorAt, ...cadence }: ImportSchedule): Date {
    const shortestMs = this.#services.imports.scheduleMinutes * 60_000;
    const soonest = (nextAt?.getTime() ?? 0) + shortestMs - 1;
    return nextTime(cadence, anchorAt, new Date(Math.max(this.#now.getTime(), soonest)));
  }

  /**
   * What a failed run does to a schedule. What may pass, like a source that does not answer, is tried again before the
   * next time, after longer and longer, and pauses the schedule later than what does not.
   */
  #failureOf({ failures }: ImportSchedule, problem: Problem | null, nextAt: Date | null) {
    const mayPass = problem?.retryable === true;
    const isLast = failures + 1 >= (mayPass ? limits.schedulePassingFailures : limits.scheduleFailures);
    const waitMs = this.#services.imports.scheduleMinutes * 60_000 * 2 ** failures;
    const againMs = Math.min(this.#now.getTime() + waitMs, nextAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const stored = problem === null ? Prisma.DbNull : (problem as Prisma.InputJsonObject);
    return { problem: stored, isLast, nextAt: mayPass && nextAt !== null ? new Date(againMs) : nextAt };
  }

  /** What is stored of the run, or the problem for which there is none. */
  async #planned({ id, createdBy, projectId, importId, adds }: ImportSchedule, last: ImportWithFiles) {
    const viewer = { userId: createdBy, name: createdBy, role: "EDITOR", projectId, via: "key" } as const;
    try {
      const again = await againOf(this.#services, viewer, last, adds);
      // Somebody may have fetched the same addresses since, by hand.
      const compared = await newestOfSource(this.#services, last);
      return { ...again, scheduleId: id, comparedWithId: compared?.id ?? importId };
    } catch (error) {
      const problem = problemFrom(error);
      if (problem.code === "INTERNAL" || problem.code === "UPSTREAM_UNAVAILABLE") throw error;
      return problem;
    }
  }

  /** What a run needs and is gone. */
  async #missing({ createdBy, projectId }: ImportSchedule, last: ImportWithFiles): Promise<ImportSchedulePause | null> {
    const { prisma } = this.#services;
    const user = await prisma.user.findUnique({ where: { id: createdBy } });
    if (!user) return "USER";
    if (user.role === "VIEWER") return "ROLE";
    const names = [...new Set(last.files.flatMap(({ credential }) => credential ?? []))];
    const there = await prisma.sourceCredential.count({ where: { projectId, name: { in: names } } });
    return there < names.length ? "CREDENTIAL" : null;
  }

  /** @param write  resolves with the number of rows that it changed */
  #write(write: (tx: Tx) => Promise<number>): Promise<boolean> {
    return this.#services.prisma.$transaction(async (tx) => {
      await this.#leader.assert(tx);
      return (await write(tx)) > 0;
    });
  }
}

interface Failure extends Pick<Prisma.ImportScheduleUpdateManyMutationInput, "lastAt" | "problem"> {
  /** As many in a row as pause a schedule. */
  readonly isLast: boolean;
  readonly nextAt: Date | null;
}

/** Counts a failed run, and pauses after too many of them. @returns the number of rows that were changed */
async function noteFailure(
  tx: Tx,
  { id, failures }: ImportSchedule,
  where: Prisma.ImportScheduleWhereInput,
  { isLast, nextAt, ...failure }: Failure,
): Promise<number> {
  const data = { ...failure, lastResult: "FAILED", failures: failures + 1, runId: null } as const;
  const { count } = await tx.importSchedule.updateMany({ where, data });
  const then = isLast ? ({ state: "PAUSED", pauseReason: "FAILURES", nextAt: null } as const) : { nextAt };
  // Somebody may have paused it meanwhile; it stays as it was paused then.
  if (count === 1) await tx.importSchedule.updateMany({ where: { id, state: "ACTIVE" }, data: then });
  return count;
}
