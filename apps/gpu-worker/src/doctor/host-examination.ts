import { tryBackendInChild } from "../devices/backend-trial.ts";
import { type NvidiaFinding, nvidiaDevices } from "../devices/nvidia-devices.ts";
import { workerDevices } from "../devices/worker-devices.ts";
import type { Env } from "../env.ts";
import { createLogger } from "../log.ts";
import { canLimitMemory } from "../ranks/memory-limit.ts";

export interface HostExamination {
  /** Lines for people */
  readonly lines: readonly string[];
  /** Whether a worker with this environment would start here. */
  readonly isHealthy: boolean;
}

/** Whether the backend of this environment can be used on this host, and which devices the host has. */
export async function examineHost(env: Env): Promise<HostExamination> {
  const log = createLogger("silent", "doctor");
  const { backend } = env.engine;
  const { stepMemoryBytes } = env.limits;
  const memoryBytes = canLimitMemory(stepMemoryBytes, log) ? stepMemoryBytes : null;
  const nvidia = nvidiaDevices();
  const lines = ["This host:", ...nvidiaLines(nvidia)];
  try {
    const kind = await tryBackendInChild({ env, memoryBytes, log });
    const [{ name }] = workerDevices(kind, env.rankEnvironment.CUDA_VISIBLE_DEVICES, () => nvidia);
    return { lines: [...lines, `  the backend ${backend} computes on ${kind} (${name})`], isHealthy: true };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { lines: [...lines, `  the backend ${backend} cannot be used: ${why}`], isHealthy: false };
  }
}

function nvidiaLines(found: NvidiaFinding): string[] {
  if ("absence" in found) return [`  no NVIDIA device: ${found.absence}`];
  return found.devices.map(
    ({ index, name, memoryBytes, driver }) =>
      `  NVIDIA device ${index}: ${name}, ${(memoryBytes / 2 ** 30).toFixed(1)} GiB, driver ${driver}`,
  );
}
