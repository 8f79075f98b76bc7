import { AppError, terminalJobStates } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import { changeJob, transactionLimits } from "../job-state/job-store.ts";
import { requestCancel } from "../job-state/transitions/cancel-transitions.ts";
import type { Services } from "../services.ts";
import { searchOf } from "./search/search-state.ts";
import { getSweep, type ShownSweep } from "./sweep-queries.ts";

/**
 * Asks every job of a sweep to stop that has not ended. Asking twice is fine, and goes on where the first was cut off.
 *
 * @throws AppError REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function cancelSweep(services: Services, viewer: Viewer, id: string): Promise<ShownSweep> {
  requireRole(viewer, "EDITOR");
  await getSweep(services, viewer, id);
  await endSearch(services, id);
  const jobs = await services.prisma.job.findMany({
    where: { sweepId: id, deletedAt: null, state: { notIn: [...terminalJobStates, "CANCELLING"] } },
    // Those that wait go first: else one would begin in the place of one that is stopped.
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true },
  });
  for (const job of jobs) {
    await changeJob(services.prisma, job.id, (run) => {
      if (!run.hasEnded && run.job.state !== "CANCELLING") requestCancel(run, new Date());
    });
    services.jobChanged(job.id);
  }
  return getSweep(services, viewer, id);
}

/**
 * Deletes a sweep with its jobs, as `deleteJob` does each: all of them or none.
 *
 * @throws AppError REQUEST_CONFLICT while one of them goes on, REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function deleteSweep(services: Services, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "EDITOR");
  const { finishedAt, search } = await getSweep(services, viewer, id);
  if (finishedAt === null && search !== null) {
    throw new AppError(
      "REQUEST_CONFLICT",
      "The search goes on; cancel it and wait until its jobs have stopped, then delete it.",
    );
  }
  const hasEnded = { in: [...terminalJobStates] };
  const jobs = await services.prisma.$transaction(async (tx) => {
    const own = await tx.job.findMany({ where: { sweepId: id, deletedAt: null }, select: { id: true } });
    const { count } = await tx.job.updateMany({
      where: { sweepId: id, deletedAt: null, state: hasEnded, derivedJobs: { every: { state: hasEnded } } },
      data: { deletedAt: new Date(), idempotencyKey: null },
    });
    if (count < own.length) throw goesOn(own.length - count);
    await tx.sweep.deleteMany({ where: { id } });
    return own;
  }, transactionLimits);
  for (const job of jobs) services.jobChanged(job.id);
}

/** From here on the leader submits nothing more for it: under the lock of its row it decides one thing at a time. */
async function endSearch({ prisma }: Services, id: string): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM "Sweep" WHERE id = ${id} FOR UPDATE`;
    const sweep = await tx.sweep.findUnique({ where: { id } });
    const state = sweep && searchOf(sweep);
    if (!state || sweep.searchEndedAt !== null) return;
    const decisions = [...state.decisions, "The search was cancelled."];
    const data = {
      search: { ...state, decisions } as Prisma.InputJsonObject,
      searchRevision: { increment: 1 },
      searchEndedAt: new Date(),
    };
    await tx.sweep.update({ where: { id }, data });
  }, transactionLimits);
}

function goesOn(numJobs: number): AppError {
  const jobs =
    numJobs === 1 ? "One of its jobs, or an export of it, goes" : `${numJobs} of its jobs, or exports of them, go`;
  return new AppError(
    "REQUEST_CONFLICT",
    `${jobs} on; cancel the sweep and wait until all have stopped, then delete it.`,
  );
}
