import type { WorkerDevice } from "@hopwise/contracts";
import { type DeviceFinding, findDevices } from "../devices/find-devices.ts";
import { tryDevices } from "../devices/try-devices.ts";
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
  const found = findDevices();
  const lines = ["This host:", ...deviceLines(found)];
  try {
    const devices = await tryDevices({ env, memoryBytes, log, workerId: "doctor", find: () => found });
    const tried = devices.map(({ kind, name }) => `  the backend ${backend} computes on ${kind} (${name})`);
    return { lines: [...lines, ...tried], isHealthy: true };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { lines: [...lines, `  the backend ${backend} cannot be used: ${why}`], isHealthy: false };
  }
}

/** The driver, each device with its links, and what is missing. */
function deviceLines({ devices, driver, absence }: DeviceFinding): string[] {
  const runs = driver && `  NVIDIA driver ${driver.version}${driver.cuda ? `, runs CUDA up to ${driver.cuda}` : ""}`;
  const found = devices.map((device) => {
    const { index, name, memoryBytes, uuid, computeCapability, migParent } = device;
    const memory = memoryBytes === 0 ? "memory not known" : `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`;
    const more = [computeCapability && `compute capability ${computeCapability}`, migParent && `slice of ${migParent}`];
    return [`  NVIDIA device ${index}: ${name}`, memory, ...more.filter(Boolean), uuid].join(", ");
  });
  const links = linkLines(devices);
  return [
    ...(runs ? [runs] : []),
    ...found,
    ...links,
    ...(absence ? [`  no NVIDIA device for the kernels: ${absence}`] : []),
  ];
}

/** `  0 and 1 are joined by nvlink` */
function linkLines(devices: readonly WorkerDevice[]): string[] {
  return devices.flatMap((device) =>
    device.links.flatMap(({ to, kind }) => {
      const other = devices.find(({ uuid }) => uuid === to);
      return other && device.index < other.index ? [`  ${device.index} and ${other.index} are joined by ${kind}`] : [];
    }),
  );
}
