import { countMembers } from "@hopwise/contracts";
import type { Stage } from "../generated/prisma/client.ts";
import { type GrantedPlace, slicesOf } from "../job-state/stage-slices.ts";
import type { KnownWorker } from "../workers/worker-directory.ts";
import type { WorkerView } from "./need.ts";
import type { PlacedSlice } from "./placement.ts";

/**
 * What the workers have and nobody holds. Slots and devices are held by the active stages, as the database has them,
 * and by nothing else: a stage that ends, however it does, has given them back with that.
 */
export function workerViews(
  present: readonly Pick<KnownWorker, "announcement" | "refusal">[],
  activeStages: readonly Pick<Stage, "slices">[],
): WorkerView[] {
  const taken = heldSlots(activeStages);
  const takenDevices = new Set(activeStages.flatMap(slicesOf).flatMap(({ devices }) => devices));
  return present.flatMap(({ announcement, refusal }) => {
    if (!announcement) return [];
    const freeSlots = announcement.slots - (taken.get(announcement.id) ?? 0);
    return [{ announcement, refusal, freeSlots, takenDevices }];
  });
}

/** How many slots of each worker these stages hold. */
export function heldSlots(activeStages: readonly Pick<Stage, "slices">[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const slice of activeStages.flatMap(slicesOf)) {
    held.set(slice.workerId, (held.get(slice.workerId) ?? 0) + countMembers(slice));
  }
  return held;
}

/** The places as a granted stage keeps them. */
export function placesOf(slices: readonly [PlacedSlice, ...PlacedSlice[]]): GrantedPlace[] {
  return slices.map(({ worker: { announcement }, members, devices }) => {
    const { id, bootId, host } = announcement;
    return { workerId: id, bootId, host, members, devices: devices?.flatMap(({ uuid }) => uuid ?? []) ?? null };
  });
}

/** From now on in this round others have to do without. */
export function takeFrom(slices: readonly PlacedSlice[]): void {
  for (const { worker, members, devices } of slices) {
    worker.freeSlots -= members;
    for (const { uuid } of devices ?? []) if (uuid !== null) worker.takenDevices.add(uuid);
  }
}
