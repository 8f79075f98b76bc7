import type { DeviceKind } from "@hopwise/contracts";
import type { Prisma } from "../generated/prisma/client.ts";
import { capacityOf } from "./capacity.ts";

/** What readers of the Worker table need: inside a transaction or not. */
export type WorkerReader = Pick<Prisma.TransactionClient, "worker">;

export interface SeenWorker {
  readonly id: string;
  readonly host: string;
  readonly lastSeen: Date;
}

/** Enough for every host that came and went lately; rows of workers stay for ever. */
const mostRows = 1000;

/** The worker that announced such a device last, online or not; one of another contract version gets no work. */
export async function lastWithDevice({ worker }: WorkerReader, kind: DeviceKind): Promise<SeenWorker | null> {
  const rows = await worker.findMany({
    where: { compatible: true },
    orderBy: { lastSeen: "desc" },
    take: mostRows,
    select: { id: true, host: true, lastSeen: true, announcement: true },
  });
  return rows.find((row) => capacityOf(row).devices.some((device) => device.kind === kind)) ?? null;
}

/** As people read it: a CUDA device, a CPU. */
export function deviceTitle(kind: DeviceKind): string {
  return kind === "cuda" ? "a CUDA device" : "its CPU to compute on";
}

/** Where it stands how a worker comes to have one. */
export const deviceGuide = "docs/guides/gpu.md";
