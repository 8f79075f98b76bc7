import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export interface NvidiaDevice {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly memoryBytes: number;
  readonly driver: string;
}

export type NvidiaFinding =
  | { readonly devices: readonly [NvidiaDevice, ...NvidiaDevice[]] }
  /** Why none is known */
  | { readonly devices: readonly []; readonly absence: string };

const query = ["--query-gpu=index,uuid,name,memory.total,driver_version", "--format=csv,noheader,nounits"];

/** The NVIDIA devices of this host or container, as the driver's own program tells them. */
export function nvidiaDevices(program = "nvidia-smi", driverFile = "/proc/driver/nvidia/version"): NvidiaFinding {
  const { error, status, stdout, stderr } = spawnSync(program, query, { encoding: "utf8", timeout: 10_000 });
  if (error) {
    const driver = existsSync(driverFile) ? "though the driver is loaded" : "and no driver is loaded";
    const what =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "is not here" : `cannot be run (${error.message})`;
    return { devices: [], absence: `${program} ${what}, ${driver}` };
  }
  if (status !== 0) {
    return { devices: [], absence: `${program} ended with ${status}: ${(stdout + stderr).trim().split("\n")[0]}` };
  }
  const [first, ...others] = stdout.split("\n").flatMap(parseLine);
  return first ? { devices: [first, ...others] } : { devices: [], absence: `${program} lists none` };
}

/** `0, GPU-…, NVIDIA H100 80GB HBM3, 81559, 580.65.06`; memory in MiB */
function parseLine(line: string): NvidiaDevice[] {
  const [index, uuid, name, mebibytes, driver] = line.split(",").map((part) => part.trim());
  if (!index || !/^\d+$/.test(index) || !uuid || !name) return [];
  const memoryBytes = Number.isFinite(Number(mebibytes)) ? Number(mebibytes) * 2 ** 20 : 0;
  return [{ index: Number(index), uuid, name, memoryBytes, driver: driver ?? "" }];
}
