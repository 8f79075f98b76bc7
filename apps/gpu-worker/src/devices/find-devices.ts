import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type WorkerDevice, workerDevice } from "@hopwise/contracts";
import { devicesProgram } from "@hopwise/gnn-core/ranks";
import { type DeviceLine, devicesOfLines, parseDeviceLine } from "./device-lines.ts";
import { nvidiaDevices } from "./nvidia-devices.ts";

/** The GPUs of this host or container, and what there is to say when not all is as our own kernels need it. */
export interface DeviceFinding {
  readonly devices: readonly WorkerDevice[];
  readonly driver: { readonly version: string; readonly cuda: string | null } | null;
  /** What is missing, in words; null: nothing */
  readonly absence: string | null;
}

/**
 * The NVIDIA devices that the driver tells of. An old driver's, which our kernels cannot use, are listed by its own
 * program: TensorFlow may.
 */
export function findDevices(program = devicesProgram, smi?: string): DeviceFinding {
  const probed = existsSync(program) ? probe(program) : null;
  if (probed !== null && probed.devices.length > 0) return probed;
  const listed = nvidiaDevices(smi);
  const absence = probed?.absence ?? ("absence" in listed ? listed.absence : null);
  const devices = devicesOfSmi(listed);
  const version = listed.devices[0]?.driver;
  return { devices, driver: probed?.driver ?? (version ? { version, cuda: null } : null), absence };
}

function devicesOfSmi({ devices }: ReturnType<typeof nvidiaDevices>): WorkerDevice[] {
  return devices.map(({ driver, ...device }) =>
    workerDevice.parse({ kind: "cuda", ...device, driverVersion: driver || null }),
  );
}

/** A driver that hangs is given up. */
function probe(program: string): DeviceFinding {
  const { error, stdout } = spawnSync(program, ["--json"], { encoding: "utf8", timeout: 20_000 });
  const lines = (stdout ?? "").split("\n").flatMap((text): DeviceLine | DeviceLine[] => parseDeviceLine(text) ?? []);
  const failure = lines.find((line) => line.kind === "error");
  const driver = lines.find((line) => line.kind === "driver");
  const devices = devicesOfLines(lines);
  const none = error ? `the driver does not answer (${error.message})` : "the driver lists no device";
  return {
    devices,
    driver: driver ? { version: driver.version, cuda: dotted(driver.cuda) } : null,
    absence: devices.length > 0 ? null : (failure?.message ?? none),
  };
}

/** 13020 → "13.2" */
function dotted(cuda: number): string {
  return `${Math.floor(cuda / 1000)}.${Math.floor((cuda % 1000) / 10)}`;
}
