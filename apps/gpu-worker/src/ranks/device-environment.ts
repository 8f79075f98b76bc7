import { isCudaName } from "../devices/worker-devices.ts";

/**
 * What a process that has this device to itself sees of the host's GPUs: this one, as its first. One without a device
 * sees none.
 */
export function deviceEnvironment(environment: Record<string, string>, uuid: string | null): Record<string, string> {
  if (uuid !== null && !isCudaName(uuid)) return environment;
  return { ...environment, CUDA_VISIBLE_DEVICES: uuid ?? "" };
}
