import { cpus } from "node:os";
import { type WorkerDevice, workerDevice } from "@hopwise/contracts";
import { usableMemory } from "@hopwise/gnn-core/ranks";

/** What a worker announces whose backend computes on the CPU. */
export function cpuDevice(): WorkerDevice {
  const name = cpus()[0]?.model.trim() || process.arch;
  return workerDevice.parse({ kind: "cpu", index: 0, name, memoryBytes: usableMemory() });
}

/**
 * The GPUs that this worker's ranks may be given.
 *
 * @param visible  CUDA_VISIBLE_DEVICES as the worker was started with: indices or UUIDs, which may be cut short
 */
export function visibleDevices(all: readonly WorkerDevice[], visible: string | undefined): readonly WorkerDevice[] {
  if (visible === undefined) return all;
  const named = visible.split(",").map((name) => name.trim());
  const known = named.map((name) => all.find((device) => isNamed(device, name)));
  // As CUDA does: whatever stands behind the first name that means nothing is not seen.
  const unknown = known.indexOf(undefined);
  const seen = (unknown === -1 ? known : known.slice(0, unknown)).flatMap((device) => device ?? []);
  return all.filter((device) => seen.includes(device));
}

function isNamed({ index, uuid }: WorkerDevice, name: string): boolean {
  return name === String(index) || (name.length > 4 && uuid?.startsWith(name) === true);
}

/** A GPU on which the backend has computed although the driver's programs list none: its ranks share what they see. */
export function unlistedDevice(workerId: string): WorkerDevice {
  const name = "a GPU that nvidia-smi does not tell of";
  return workerDevice.parse({ kind: "cuda", index: 0, name, memoryBytes: 0, uuid: `unlisted-${workerId}` });
}

/** Whether CUDA knows a device by this name, so that a process can be made to see it alone. */
export function isCudaName(uuid: string): boolean {
  return /^(GPU|MIG)-/.test(uuid);
}
