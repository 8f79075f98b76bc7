import type { DeviceKind, JobSpec, WorkerCapacity } from "@hopwise/contracts";
import { deviceGuide, deviceTitle, lastWithDevice, type WorkerReader } from "../workers/device-workers.ts";
import type { Objection } from "./objection.ts";

/**
 * A worker that was seen within this time may be on its way back: a restart waits for stages to be handed on (15 s),
 * and then for the backend to load.
 */
const restartMs = 5 * 60_000;

export interface OnlineWorker extends WorkerCapacity {
  readonly host: string;
}

/** What speaks against a job on the device that it asks for, and what is to be said where nothing does. */
export interface DeviceVerdict {
  readonly objection: Objection | null;
  readonly note: string | null;
}

const fine: DeviceVerdict = { objection: null, note: null };
const shownDevices = 5;
const shownCharacters = 80;

/** Whether any worker announces the device that the job names, or did so a moment ago. */
export async function judgeDevice(
  reader: WorkerReader,
  { device }: JobSpec["resources"],
  online: readonly OnlineWorker[],
  now: Date,
): Promise<DeviceVerdict> {
  if (device === "auto" || online.some((worker) => hasDevice(worker, device))) return fine;
  // Any worker computes on its CPU unless it was set up otherwise: the job waits for one, as every job does.
  if (device === "cpu" && online.length === 0) return fine;
  const last = await lastWithDevice(reader, device);
  const title = deviceTitle(device);
  if (last && now.getTime() - last.lastSeen.getTime() <= restartMs) {
    const note = `The last worker with ${title}, ${last.id} on ${last.host}, was seen at ${last.lastSeen.toISOString()}; the job will wait for it.`;
    return { objection: null, note };
  }
  const other = device === "cuda" ? "cpu" : "cuda";
  const detail = `The job asks for resources.device "${device}", and no worker that is online has ${title}. ${announcedBy(online)} Set resources.device to "auto" or "${other}", or add a worker that has one (${deviceGuide}).`;
  return { objection: { code: "JOB_DEVICE_UNAVAILABLE", pointer: "/resources/device", detail }, note: null };
}

export function hasDevice({ devices }: Pick<WorkerCapacity, "devices">, kind: DeviceKind): boolean {
  return devices.some((device) => device.kind === kind);
}

/** The kinds and names of devices, each with the hosts that have it. */
function announcedBy(online: readonly OnlineWorker[]): string {
  if (online.length === 0) return "No worker is online at all.";
  const hosts = new Map<string, Set<string>>();
  for (const { host, devices } of online) {
    for (const { kind, name } of devices) {
      const device = `${kind} (${name.slice(0, shownCharacters)})`;
      hosts.set(device, (hosts.get(device) ?? new Set()).add(host.slice(0, shownCharacters)));
    }
  }
  const known = [...hosts].map(([device, on]) => `${device} on ${listed([...on])}`);
  return known.length === 0 ? "Those online announce no device." : `Announced now: ${listed(known)}.`;
}

function listed(all: readonly string[]): string {
  const more = all.length - shownDevices;
  return [...all.slice(0, shownDevices), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
