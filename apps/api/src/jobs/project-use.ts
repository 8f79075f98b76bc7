import { AppError, type ProjectUseAnswer, type ProjectUseQuery } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Project } from "../generated/prisma/client.ts";
import { monthOf, noHours, readHeldHours, type Span } from "../projects/held-hours.ts";
import { costOf, readPrices } from "../projects/prices.ts";
import { listProjects } from "../projects/project-service.ts";
import type { Services } from "../services.ts";
import { isWaitingRow } from "./queue.ts";

/**
 * What each project that the admin may see used in a span of time, what that cost, and what it holds now.
 *
 * @throws AppError AUTH_FORBIDDEN, REQUEST_INVALID when the span ends before it begins
 */
export async function projectUse(
  services: Pick<Services, "prisma">,
  viewer: Viewer,
  asked: ProjectUseQuery,
): Promise<ProjectUseAnswer> {
  requireRole(viewer, "ADMIN");
  const now = new Date();
  const span = spanOf(asked, now);
  const projects = await listProjects(services, viewer);
  const [prices, hours, thisMonth, held, waiting] = await Promise.all([
    readPrices(services),
    readHeldHours(services.prisma, span),
    readHeldHours(services.prisma, monthOf(now)),
    heldNow(services),
    waitingNow(services),
  ]);
  const items = projects.map(({ id, name }: Project) => {
    const used = hours.get(id) ?? noHours;
    const { slots = 0, devices = 0 } = held.get(id) ?? {};
    return {
      projectId: id,
      name,
      ...used,
      cost: prices && costOf(used, prices),
      heldSlots: slots,
      heldDevices: devices,
      waitingJobs: waiting.get(id) ?? 0,
      monthRankHours: (thisMonth.get(id) ?? noHours).rankHours,
    };
  });
  return { from: span.from.toISOString(), to: span.to.toISOString(), prices, items };
}

function spanOf({ from, to }: ProjectUseQuery, now: Date): Span {
  const span = { from: from ? new Date(from) : monthOf(now).from, to: to ? new Date(to) : now };
  if (span.from < span.to) return span;
  throw new AppError(
    "REQUEST_INVALID",
    `/to: Found ${span.to.toISOString()}, expected a time after the span's beginning, ${span.from.toISOString()}.`,
    { place: { pointer: "/to" } },
  );
}

async function heldNow({ prisma }: Pick<Services, "prisma">) {
  const open = await prisma.heldTime.groupBy({
    by: ["projectId"],
    where: { endedAt: null },
    _sum: { slots: true, devices: true },
  });
  return new Map(
    open.map(({ projectId, _sum }) => [projectId, { slots: _sum.slots ?? 0, devices: _sum.devices ?? 0 }]),
  );
}

async function waitingNow({ prisma }: Pick<Services, "prisma">) {
  const counted = await prisma.job.groupBy({ by: ["projectId"], where: isWaitingRow, _count: { _all: true } });
  return new Map(counted.map(({ projectId, _count }) => [projectId, _count._all]));
}
