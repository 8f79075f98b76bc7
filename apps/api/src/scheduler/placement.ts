import type { DeviceKind, WorkerDevice } from "@hopwise/contracts";
import { chooseDevices, deviceSpan } from "./choose-devices.ts";
import type { HostCount, Need, WorkerView } from "./need.ts";
import { objectionOf } from "./objection.ts";
import { freeDevices, freeRoom, holds, type Load, type Offer, offersOf, wholeRoom } from "./offers.ts";
import { compareRooms, largestRooms, type OfferGroup, offerGroups, spread, spreadOverDevices } from "./spread.ts";
import { whyBusy, whyNone } from "./wait-reason.ts";

/** The workers that know the job already. */
export interface KnownWorkers {
  /** Runs the attempt: its stages begin there as long as it can. */
  readonly holder?: string | undefined;
  /** Ran the attempt before: has the inputs in its cache. */
  readonly preferred?: string | undefined;
}

export interface PlacedSlice {
  readonly worker: WorkerView;
  readonly members: number;
  /** One for each of its ranks; null: they share what the worker has. */
  readonly devices: readonly WorkerDevice[] | null;
}

export type Placement =
  /** The first slice gets rank 0. */
  | { readonly slices: readonly [PlacedSlice, ...PlacedSlice[]]; readonly device: DeviceKind }
  | {
      readonly waiting: string;
      /** The workers that will take it once what it lacks is free; lower priorities must not take that first. */
      readonly reserve: readonly WorkerView[];
      readonly lacks: "slots" | "devices";
    };

/**
 * Chooses the workers of a job's next stage: first the ones that know the job, if they can, then those with the most
 * free slots. All members of a stage are placed at once or not at all, and each rank gets a device that nobody else
 * has. A stage of one goes where the job's other stages can begin too. After a loss the job makes do with what is left:
 * fewer hosts, and if need be fewer members.
 */
export function placeStage(need: Need, workers: readonly WorkerView[], known: KnownWorkers = {}): Placement {
  const able = workers.filter((worker) => objectionOf(need, worker) === null);
  const offers = inOrder(able, known).flatMap((worker) => offersOf(need, worker));
  for (const { members, hosts } of acceptableSizes(need)) {
    const group = offerGroups(offers, { members, devices: Math.min(need.mostDevices, members) }, hosts)[0];
    if (group) return placeIn(group, Math.min(need.members, members), need, known);
  }
  return { waiting: whyNone(need, workers), reserve: [], lacks: "slots" };
}

function placeIn(group: OfferGroup, members: number, need: Need, known: KnownWorkers): Placement {
  const load = { members, devices: Math.min(need.devices, members) };
  const hosts = members === 1 ? 1 : group.hosts;
  const by = hosts === 1 ? byFit({ ...load, devices: Math.min(need.mostDevices, members) }) : byFreeRoom;
  const ordered = familiarFirst(group.offers, hosts, load, known, by);
  const chosen = ordered.slice(0, hosts);
  const slices = slicesOn(chosen, load);
  const [lead, ...others] = slices ?? [];
  if (lead) return { slices: [lead, ...others], device: (chosen[0] as Offer).kind };
  const hasSlots =
    spread(
      members,
      chosen.map((offer) => freeRoom(offer).slots),
    ) !== null;
  const lacksDevices = hasSlots && needsDevices(chosen, load);
  const reserve = hosts === 1 ? chosen : familiarFirst(group.offers, hosts, load, known, byWholeRoom).slice(0, hosts);
  return {
    waiting: whyBusy(load, chosen, lacksDevices),
    reserve: reserve.map(({ worker }) => worker),
    lacks: lacksDevices ? "devices" : "slots",
  };
}

/** In the order given, but the worker that knows the job first, if it and the others have the room, free or not. */
function familiarFirst(
  offers: readonly Offer[],
  hosts: number,
  load: Load,
  { holder, preferred }: KnownWorkers,
  by: Order,
): readonly Offer[] {
  const ordered = offers.toSorted(by);
  const offerOf = (id: string | undefined) => ordered.find(({ worker }) => worker.announcement.id === id);
  const familiar = offerOf(holder) ?? offerOf(preferred);
  if (!familiar) return ordered;
  const rest = ordered.filter((offer) => offer !== familiar);
  const isUsed = holds([wholeRoom(familiar), ...largestRooms(rest, hosts - 1)], load);
  return isUsed ? [familiar, ...rest] : ordered;
}

/** Whether each rank gets a device for itself there. */
function needsDevices(offers: readonly Offer[], { devices: ranks }: Load): boolean {
  return ranks > 0 && offers.every(({ devices }) => devices !== null);
}

/** All members on exactly these, or null. */
function slicesOn(offers: readonly Offer[], load: Load): PlacedSlice[] | null {
  const rooms = offers.map(freeRoom);
  if (!needsDevices(offers, load)) {
    const shares = spread(
      load.members,
      rooms.map(({ slots }) => slots),
    );
    return shares && offers.map(({ worker }, i) => ({ worker, members: shares[i] as number, devices: null }));
  }
  const shares = spreadOverDevices(load, rooms);
  return (
    shares &&
    offers.map((offer, i) => {
      const { ranks, members } = shares[i] as (typeof shares)[number];
      return { worker: offer.worker, members, devices: chooseDevices(freeDevices(offer), ranks) };
    })
  );
}

/** Numbers of members and hosts that will do, the best first. */
function* acceptableSizes({
  mostMembers,
  fewestMembers,
  hosts,
}: Need): Generator<{ members: number; hosts: HostCount }> {
  yield { members: mostMembers, hosts };
  if (fewestMembers === null) return;
  for (let members = mostMembers; members >= fewestMembers; members--) yield { members, hosts: "auto" };
}

/** Those that know the job first, then those with the most slots. */
function inOrder(workers: readonly WorkerView[], { holder, preferred }: KnownWorkers): WorkerView[] {
  const rank = ({ announcement: { id } }: WorkerView) => (id === holder ? 0 : id === preferred ? 1 : 2);
  return workers.toSorted(
    (a, b) => rank(a) - rank(b) || b.announcement.slots - a.announcement.slots || compareIds(a, b),
  );
}

type Order = (a: Offer, b: Offer) => number;

/** On one host: where it can begin now, on the devices that are closest to each other, then by free slots. */
function byFit(load: Load): Order {
  const fitOf = (offer: Offer) => {
    if (offer.devices === null || load.devices === 0) return 0;
    const chosen = holds([freeRoom(offer)], load) ? chooseDevices(freeDevices(offer), load.devices) : null;
    return chosen === null ? Number.MAX_SAFE_INTEGER : deviceSpan(chosen);
  };
  return (a, b) => fitOf(a) - fitOf(b) || b.worker.freeSlots - a.worker.freeSlots || compareIds(a.worker, b.worker);
}

const byFreeRoom: Order = (a, b) => compareRooms(freeRoom(b), freeRoom(a)) || compareIds(a.worker, b.worker);

const byWholeRoom: Order = (a, b) => compareRooms(wholeRoom(b), wholeRoom(a)) || compareIds(a.worker, b.worker);

function compareIds(a: WorkerView, b: WorkerView): number {
  return a.announcement.id < b.announcement.id ? -1 : a.announcement.id > b.announcement.id ? 1 : 0;
}
