import type { Prices } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";
import type { HeldHours } from "./held-hours.ts";
import { requireAdminOfService } from "./require-admin-of-service.ts";

type Database = Pick<Services, "prisma">;

/** The one row of the table */
const id = 1;

/** What an hour costs, the same for all projects; null: no costs are shown. */
export async function readPrices({ prisma }: Database): Promise<Prices | null> {
  return prisma.prices.findUnique({
    where: { id },
    select: { currency: true, perRankHour: true, perDeviceHour: true },
  });
}

/** @throws AppError AUTH_FORBIDDEN */
export async function setPrices({ prisma }: Database, viewer: Viewer, prices: Prices): Promise<Prices> {
  requireAdminOfService(viewer);
  await prisma.prices.upsert({ where: { id }, create: { id, ...prices }, update: prices });
  return prices;
}

/** @throws AppError AUTH_FORBIDDEN */
export async function removePrices({ prisma }: Database, viewer: Viewer): Promise<void> {
  requireAdminOfService(viewer);
  await prisma.prices.deleteMany();
}

/** rank hours · price of a rank hour + device hours · price of a device hour */
export function costOf({ rankHours, deviceHours }: HeldHours, { perRankHour, perDeviceHour }: Prices): number {
  return rankHours * perRankHour + deviceHours * perDeviceHour;
}
