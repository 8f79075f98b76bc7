import type { JobSpec, WorkerDevice } from "@hopwise/contracts";
import type { EstimatedDevice } from "@hopwise/gnn-core/estimate";
import type { OnlineWorker } from "./device-objection.ts";
import type { Objection } from "./objection.ts";

type Device = JobSpec["resources"]["device"];

/** The devices of a worker that ranks of this job may be given, one each. */
function ownDevices({ devices }: OnlineWorker, wanted: Device): WorkerDevice[] {
  if (wanted === "cpu") return [];
  return devices.filter(
    ({ kind, uuid, isEmulated }) => kind === "cuda" && uuid !== null && (wanted === "cuda" || !isEmulated),
  );
}

/**
 * What the largest device has that a rank of this job may be given, its host, and the other devices there, which may
 * hold a share of the features each; null: its ranks compute on CPUs.
 */
export function largestDevice(workers: readonly OnlineWorker[], wanted: Device): EstimatedDevice | null {
  const all = workers.flatMap((worker) => {
    const own = ownDevices(worker, wanted);
    return own.map(({ memoryBytes, links }) => {
      const joined = links.filter(({ to, kind }) => kind === "nvlink" && own.some(({ uuid }) => uuid === to));
      const peers = { onHost: own.length, linked: 1 + joined.length };
      return { memoryBytes, hostBytes: worker.memoryBytes, peers };
    });
  });
  return all.toSorted((a, b) => b.memoryBytes - a.memoryBytes)[0] ?? null;
}

/**
 * What speaks against a job whose ranks need a device each: too few of them, or too little memory on each. One that
 * leaves its device open is refused only when all workers would have it compute on devices.
 */
export function deviceObjections(
  workers: readonly OnlineWorker[],
  neededBytes: number,
  { device, ranks, hosts }: JobSpec["resources"],
): Objection[] {
  const counted = workers.map((worker) => ({ worker, devices: ownDevices(worker, device) }));
  if (counted.some(({ devices }) => devices.length === 0)) return [];
  const large = counted.map(({ worker, devices }) => ({
    worker,
    count: devices.filter(({ memoryBytes }) => memoryBytes === 0 || memoryBytes >= neededBytes).length,
  }));
  if (large.every(({ count }) => count === 0))
    return [
      tooLittleMemory(
        counted.flatMap((c) => c.devices),
        neededBytes,
      ),
    ];
  const alone = Math.max(...large.map(({ count }) => count));
  const joined = large.filter(({ worker }) => worker.rankAddress !== null).map(({ count }) => count);
  const most = joined.toSorted((a, b) => b - a).slice(0, hosts === "auto" ? joined.length : hosts);
  const together = Math.max(
    alone,
    most.reduce((sum, count) => sum + count, 0),
  );
  if (ranks <= together) return [];
  const where = together > alone ? "several workers together have" : "the largest worker online has";
  const detail = `Each of the job's ${ranks} ranks needs a CUDA device of its own; ${where} ${together} that will do. Set resources.ranks to ${together} or less, or start a worker with more of them.`;
  return [{ code: "JOB_TOO_LARGE", pointer: "/resources/ranks", detail }];
}

function tooLittleMemory(devices: readonly WorkerDevice[], neededBytes: number): Objection {
  const [largest] = devices.toSorted((a, b) => b.memoryBytes - a.memoryBytes);
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const detail = `Each rank needs about ${gigabytes(neededBytes)} of its device's memory; the largest device online, ${largest?.name}, has ${gigabytes(largest?.memoryBytes ?? 0)}. Lower train.batchSize, the fanouts or model.options.hiddenFeats, use more ranks, or set resources.device to "cpu".`;
  return { code: "JOB_TOO_LARGE", pointer: "/resources/device", detail };
}
