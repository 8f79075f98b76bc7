import type { SeriesAnswer, WorkerHistoryAnswer } from "@hopwise/contracts";
import { z } from "zod";
import { notFound } from "../auth/viewer.ts";
import type { PrismaClient, WorkerSample } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import type { KnownWorker } from "./worker-directory.ts";

/** How often what a worker does is written down, and for how long it is kept. */
const everyMs = 60_000;
const keptMs = 7 * 86_400_000;
const tidyEveryMs = 3_600_000;

const number = z.number().nullable().catch(null);
const facts = z.object({
  busyCores: number,
  memoryUsedBytes: number,
  diskFreeBytes: number,
  devices: z
    .array(z.object({ name: z.string(), utilization: number, memoryBytes: number, powerWatts: number }))
    .catch([]),
});
type Facts = z.infer<typeof facts>;

/** Writes down what workers do, whatever jobs they have: each minute a row for each. Only the leader does. */
export class WorkerHistory {
  readonly #prisma: PrismaClient;
  #dueAt = 0;
  #tidyAt = 0;

  constructor(prisma: PrismaClient) {
    this.#prisma = prisma;
  }

  /** @param heldSlots slots that active stages hold, by worker */
  async recordIfDue(present: readonly KnownWorker[], heldSlots: ReadonlyMap<string, number>): Promise<void> {
    const now = performance.now();
    if (now < this.#dueAt) return;
    this.#dueAt = now + everyMs;
    const at = new Date();
    const rows = present.flatMap(({ announcement }) => {
      if (!announcement) return [];
      const { id: workerId, bootId, version, slots } = announcement;
      return [
        { workerId, at, bootId, version, slots, heldSlots: heldSlots.get(workerId) ?? 0, facts: factsOf(announcement) },
      ];
    });
    if (rows.length > 0) await this.#prisma.workerSample.createMany({ data: rows, skipDuplicates: true });
    if (now < this.#tidyAt) return;
    this.#tidyAt = now + tidyEveryMs;
    await this.#prisma.workerSample.deleteMany({ where: { at: { lt: new Date(at.getTime() - keptMs) } } });
  }
}

function factsOf({ load, diskFreeBytes, devices }: NonNullable<KnownWorker["announcement"]>): Facts {
  return {
    busyCores: load?.busyCores ?? null,
    memoryUsedBytes: load?.memoryUsedBytes ?? null,
    diskFreeBytes,
    devices: devices.flatMap(({ kind, index, name, use }) =>
      kind === "cuda" && use ? [{ ...use, name: `${index} ${name}` }] : [],
    ),
  };
}

/**
 * What a worker has done in the last hours, and the boots of it with their versions, the oldest first. Of more than
 * `maxPoints` minutes every second, third … one is told.
 *
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function readWorkerHistory(
  { prisma }: Pick<Services, "prisma">,
  id: string,
  { hours, maxPoints }: { readonly hours: number; readonly maxPoints: number },
): Promise<WorkerHistoryAnswer> {
  if ((await prisma.worker.count({ where: { id } })) === 0) throw notFound("worker", id);
  const after = new Date(Date.now() - hours * 3_600_000);
  const samples = await prisma.workerSample.findMany({
    where: { workerId: id, at: { gte: after } },
    orderBy: { at: "asc" },
  });
  const every = Math.max(1, Math.ceil(samples.length / maxPoints));
  // Counted from the newest, which is always told.
  const told = samples.filter((_, i) => (samples.length - 1 - i) % every === 0);
  return { series: seriesOf(told), boots: bootsOf(samples) };
}

function seriesOf(samples: readonly WorkerSample[]): SeriesAnswer[] {
  const points = samples.map((sample) => ({ at: sample.at.getTime(), values: valuesOf(sample) }));
  const names = [...new Set(points.flatMap(({ values }) => [...values.keys()]))];
  return names.map((name) => {
    const known = points.flatMap(({ at, values }) => {
      const value = values.get(name) ?? null;
      return value === null ? [] : [{ at, value }];
    });
    const times = known.map(({ at }) => at);
    return { name, axis: "time", steps: times, times, values: known.map(({ value }) => value) };
  });
}

function valuesOf({ slots, heldSlots, facts: stored }: WorkerSample): ReadonlyMap<string, number | null> {
  const { busyCores, memoryUsedBytes, diskFreeBytes, devices } = facts.parse(stored);
  return new Map([
    ["held/slots", heldSlots],
    ["offered/slots", slots],
    ["host/cores", busyCores],
    ["host/memoryBytes", memoryUsedBytes],
    ["free/diskBytes", diskFreeBytes],
    ...devices.flatMap(({ name, utilization, memoryBytes, powerWatts }): [string, number | null][] => [
      [`${name}/utilization`, utilization],
      [`${name}/deviceMemoryBytes`, memoryBytes],
      [`${name}/watts`, powerWatts],
    ]),
  ]);
}

function bootsOf(samples: readonly WorkerSample[]): WorkerHistoryAnswer["boots"] {
  const boots = new Map<string, { version: string; from: Date; to: Date }>();
  for (const { bootId, version, at } of samples) {
    boots.set(bootId, { version, from: boots.get(bootId)?.from ?? at, to: at });
  }
  return [...boots].map(([bootId, { version, from, to }]) => {
    return { bootId, version, from: from.toISOString(), to: to.toISOString() };
  });
}
