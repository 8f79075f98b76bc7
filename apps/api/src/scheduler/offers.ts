import type { DeviceKind, WorkerDevice } from "@hopwise/contracts";
import type { Need, WorkerView } from "./need.ts";

/** What a worker could give a stage: its slots, and with them devices of one model. */
export interface Offer {
  readonly worker: WorkerView;
  readonly kind: DeviceKind;
  /** Each rank gets one of them for itself. They may be in use now. Null: its ranks share what it has. */
  readonly devices: readonly WorkerDevice[] | null;
  /** What all ranks of a stage must have in common to give the same bits. */
  readonly model: string;
}

/** What the stage, or one behind it, asks of a worker's devices. */
type DeviceNeed = Pick<Need, "device" | "mostDevices" | "deviceBytes">;

/** What a worker offers: one for each model of its devices that will do, none where it has no such device. */
export function offersOf(need: DeviceNeed, worker: WorkerView): Offer[] {
  const meant = worker.announcement.devices.filter((device) => isMeant(need, device));
  const has = (kind: DeviceKind) => meant.some((device) => device.kind === kind);
  const kind = need.device === "auto" ? (has("cuda") ? "cuda" : "cpu") : need.device;
  const isAnyFine = need.device === "auto" && (need.mostDevices === 0 || worker.announcement.devices.length === 0);
  if (!has(kind)) return isAnyFine ? [shared(worker, kind)] : [];
  const own = meant.filter(({ kind: each, uuid }) => each === kind && uuid !== null);
  if (own.length === 0 || need.mostDevices === 0) return [shared(worker, kind)];
  const large = own.filter(({ memoryBytes }) => memoryBytes === 0 || memoryBytes >= need.deviceBytes);
  const models = [...new Set(large.map(modelOf))];
  return models.map((model) => ({
    worker,
    kind,
    model,
    devices: large.filter((device) => modelOf(device) === model),
  }));
}

/** Nobody gets an emulated device without having asked for one. */
function isMeant({ device }: DeviceNeed, { isEmulated }: WorkerDevice): boolean {
  return device === "cuda" || !isEmulated;
}

function shared(worker: WorkerView, kind: DeviceKind): Offer {
  return { worker, kind, devices: null, model: kind };
}

function modelOf({ kind, name, computeCapability, isEmulated }: WorkerDevice): string {
  return [kind, name, computeCapability, isEmulated].join(" ");
}

/** The devices that no stage holds. */
export function freeDevices({ devices, worker }: Offer): readonly WorkerDevice[] {
  return (devices ?? []).filter(({ uuid }) => uuid !== null && !worker.takenDevices.has(uuid));
}

/** Members, and ranks among them that need a device */
export interface Load {
  readonly members: number;
  readonly devices: number;
}

/** What one offer can hold, or several together. */
export interface Room {
  readonly slots: number;
  /** Ranks that could get a device and a slot; no limit where devices are shared. */
  readonly ranks: number;
}

/** What the worker has, whoever holds it now. */
export function wholeRoom({ worker, devices }: Offer): Room {
  const { slots } = worker.announcement;
  return { slots, ranks: devices === null ? Number.POSITIVE_INFINITY : Math.min(slots, devices.length) };
}

/** What nobody holds. */
export function freeRoom(offer: Offer): Room {
  const slots = Math.max(0, offer.worker.freeSlots);
  return {
    slots,
    ranks: offer.devices === null ? Number.POSITIVE_INFINITY : Math.min(slots, freeDevices(offer).length),
  };
}

export function holds(rooms: readonly Room[], { members, devices }: Load): boolean {
  const sum = (of: keyof Room) => rooms.reduce((all, room) => all + room[of], 0);
  return sum("slots") >= members && sum("ranks") >= devices;
}
