import { cpus } from "node:os";
import type { DeviceKind, WorkerDevice } from "@hopwise/contracts";
import { usableMemory } from "@hopwise/gnn-core/ranks";
import { type NvidiaFinding, nvidiaDevices } from "./nvidia-devices.ts";

/**
 * What the worker announces: the device on which its backend has computed.
 *
 * @param visible  CUDA_VISIBLE_DEVICES as the ranks get it
 */
export function workerDevices(
  kind: DeviceKind,
  visible: string | undefined,
  found: () => NvidiaFinding = nvidiaDevices,
): [WorkerDevice] {
  if (kind === "cuda") return [cudaDevice(found(), visible)];
  const name = cpus()[0]?.model.trim() || process.arch;
  return [{ kind: "cpu", index: 0, name, memoryBytes: usableMemory() }];
}

/** TensorFlow takes the first device that it may see, whatever there are. */
function cudaDevice({ devices }: NvidiaFinding, visible: string | undefined): WorkerDevice {
  const [first] = visible?.split(",").map((part) => part.trim()) ?? [];
  const isFirst = ({ index, uuid }: (typeof devices)[number]) => first === String(index) || uuid === first;
  const device = first ? devices.find(isFirst) : devices[0];
  const { index = 0, name = "a GPU that nvidia-smi does not tell of", memoryBytes = 0 } = device ?? {};
  return { kind: "cuda", index, name, memoryBytes };
}
