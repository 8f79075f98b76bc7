import { AppError, limits, type ScheduleRequest } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer, visible } from "../../auth/viewer.ts";
import { newId } from "../../database/ids.ts";
import { getDataset } from "../../datasets/dataset-service.ts";
import type { ImportSchedule } from "../../generated/prisma/client.ts";
import type { Services } from "../../services.ts";
import { hasAdded } from "../fetch-again.ts";
import { getImport, type ImportWithFiles, loadImport } from "../import-queries.ts";
import { isOfSource, sourceKeyOf } from "../same-source.ts";
import { cadenceOf, nextTime } from "./schedule-time.ts";

/** A schedule with the addresses that it fetches from, as everybody may see them. */
export type ShownSchedule = ImportSchedule & { readonly sources: readonly string[] };

/**
 * Has an import fetched again by schedule, as the one who asks.
 *
 * @throws AppError REQUEST_INVALID, REQUEST_NOT_FOUND; REQUEST_CONFLICT for too many schedules of the project, a second
 * one of the dataset for the same addresses, an import that has not ended, and a published data set
 */
export async function createSchedule(
  services: Services,
  viewer: Viewer,
  importId: string,
  request: ScheduleRequest,
): Promise<ShownSchedule> {
  requireRole(viewer, "EDITOR");
  const now = new Date();
  const { prisma, imports } = services;
  const cadence = cadenceOf(request, now, imports.scheduleMinutes);
  const found = await getImport(services, viewer, importId);
  await requireMayRepeat(services, found);
  const { projectId, datasetId } = found;
  const adds = request.adds ?? (await hasAdded(services, found));
  const nextAt = nextTime(cadence, now, now);
  const data = { id: newId("isch"), projectId, datasetId, importId, ...cadence, adds, anchorAt: now, nextAt };
  return shown(services, await prisma.importSchedule.create({ data: { ...data, createdBy: viewer.userId } }));
}

/** @throws AppError REQUEST_CONFLICT */
async function requireMayRepeat(services: Services, last: ImportWithFiles): Promise<void> {
  const { prisma } = services;
  const { projectId, datasetId, state, published } = last;
  if (published !== null)
    throw conflict(`"${published}" is a published data set, which does not change; a schedule is for addresses.`);
  // A run that finds nothing new is removed at its end, and with it what would be fetched again.
  if (state === "WAITING" || state === "RUNNING") throw conflict("The import has not ended; wait for that.");
  const most = limits.schedulesPerProject;
  const where = { projectId, dataset: { deletedAt: null } };
  if ((await prisma.importSchedule.count({ where })) >= most)
    throw conflict(`The project has ${most} schedules already, which is as many as may be; delete one first.`);
  const taken = await scheduleOf(services, datasetId, sourceKeyOf(services, last));
  if (taken !== null)
    throw conflict(`The schedule ${taken} fetches these addresses into the dataset already; delete that one first.`);
}

/** The schedule of a dataset that fetches from a source. */
async function scheduleOf(services: Services, datasetId: string, source: string): Promise<string | null> {
  for (const { id, importId } of await services.prisma.importSchedule.findMany({ where: { datasetId } })) {
    if (isOfSource(services, await loadImport(services, importId), source)) return id;
  }
  return null;
}

function conflict(detail: string): AppError {
  return new AppError("REQUEST_CONFLICT", detail);
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getSchedule(services: Services, viewer: Viewer, id: string): Promise<ShownSchedule> {
  const where = { id, ...visible(viewer), dataset: { deletedAt: null } };
  const found = await services.prisma.importSchedule.findFirst({ where });
  if (!found) throw notFound("schedule", id);
  return shown(services, found);
}

/** The oldest first. @throws AppError REQUEST_NOT_FOUND for the dataset */
export async function listSchedules(
  services: Services,
  viewer: Viewer,
  dataset?: string | null,
): Promise<readonly ShownSchedule[]> {
  if (dataset) await getDataset(services, viewer, dataset);
  const found = await services.prisma.importSchedule.findMany({
    where: { ...visible(viewer), dataset: { deletedAt: null }, ...(dataset && { datasetId: dataset }) },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: limits.listLength,
  });
  return Promise.all(found.map((one) => shown(services, one)));
}

/** Starts no more runs; one that is under way goes on to its end. */
export async function pauseSchedule(services: Services, viewer: Viewer, id: string): Promise<ShownSchedule> {
  requireRole(viewer, "EDITOR");
  await getSchedule(services, viewer, id);
  await services.prisma.importSchedule.updateMany({
    where: { id, state: "ACTIVE" },
    data: { state: "PAUSED", pauseReason: "REQUESTED", nextAt: null },
  });
  return getSchedule(services, viewer, id);
}

/** Goes on with a paused schedule at its next time, as the one who resumes it; failures are counted anew. */
export async function resumeSchedule(services: Services, viewer: Viewer, id: string): Promise<ShownSchedule> {
  requireRole(viewer, "EDITOR");
  const paused = await getSchedule(services, viewer, id);
  const now = new Date();
  await services.prisma.importSchedule.updateMany({
    where: { id, state: "PAUSED" },
    data: {
      state: "ACTIVE",
      pauseReason: null,
      failures: 0,
      nextAt: nextTime(paused, paused.anchorAt, now),
      createdBy: viewer.userId,
    },
  });
  return getSchedule(services, viewer, id);
}

/** Removes a schedule; a run that is under way goes on to its end. */
export async function deleteSchedule(services: Services, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "EDITOR");
  await getSchedule(services, viewer, id);
  await services.prisma.importSchedule.deleteMany({ where: { id } });
}

async function shown({ prisma }: Services, schedule: ImportSchedule): Promise<ShownSchedule> {
  const files = await prisma.importFile.findMany({
    where: { importId: schedule.importId },
    orderBy: { index: "asc" },
    select: { source: true },
  });
  return { ...schedule, sources: [...new Set(files.map(({ source }) => source))] };
}
