import type { DeviceKind, WorkerAnnouncement } from "@hopwise/contracts";
import { deviceTitle } from "../workers/device-workers.ts";
import type { Need, WorkerView } from "./need.ts";
import { offersOf } from "./offers.ts";

/** Why this worker can never run any part of the job as things are; null when it can once slots are free. */
export function objectionOf(need: Need, worker: WorkerView): string | null {
  const { announcement, refusal } = worker;
  if (refusal !== null) return refusal;
  if (announcement.draining) return "it is draining";
  const label = Object.entries(need.labels).find(([name, value]) => announcement.labels[name] !== value);
  if (label) return `its label ${label[0]} is not "${label[1]}"`;
  if (need.device !== "auto" && !hasDevice(announcement, need.device)) return `it has not ${deviceTitle(need.device)}`;
  const missing = need.components.find((component) => !announcement.components.includes(component));
  if (missing !== undefined) return `it lacks ${missing}`;
  return offersOf(need, worker).length === 0 ? deviceObjection(need, announcement) : null;
}

function deviceObjection({ device, deviceBytes }: Need, { devices }: WorkerAnnouncement): string {
  if (device === "auto" && devices.every(({ isEmulated }) => isEmulated))
    return `its devices are emulated, for jobs that ask for resources.device "cuda" alone`;
  const largest = Math.max(...devices.map(({ memoryBytes }) => memoryBytes));
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  return `each rank needs ${gigabytes(deviceBytes)} of its device's memory, and the largest has ${gigabytes(largest)}`;
}

/** Whether the worker's backend computes on such a device. */
export function hasDevice({ devices }: WorkerAnnouncement, kind: DeviceKind): boolean {
  return devices.some((device) => device.kind === kind);
}
