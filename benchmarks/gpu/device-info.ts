import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Place } from "./steps.ts";

export interface CheckedDevice {
  readonly name: string;
  readonly driver: string | null;
  /** Newest CUDA that the driver runs, such as 13.0 */
  readonly cuda: string | null;
}

/** What hopwise-devices tells of a device; its slices by their UUIDs */
export interface ListedDevice {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly slices: readonly string[];
}

/** Two devices, by their indices */
export interface ListedLink {
  readonly a: number;
  readonly b: number;
  readonly nvlink: boolean;
}

/** What is read here of lines of all kinds: packages/gnn-core/native/process/devices_process.cc */
interface Line {
  readonly kind: string;
  readonly version?: string;
  readonly cuda?: number;
  readonly index?: number;
  readonly uuid?: string;
  readonly name?: string;
  readonly slices?: readonly { readonly uuid: string }[];
  readonly a?: number;
  readonly b?: number;
  readonly nvlink?: boolean;
}

/** The first device that the driver lists; without any, the reason is the name's place. */
export function checkedDevice({ root, isEmulated }: Place): CheckedDevice {
  if (isEmulated) return { name: "emulation", driver: null, cuda: null };
  const lines = listed(root, false);
  const driver = lines.find(({ kind }) => kind === "driver");
  const device = lines.find(({ kind }) => kind === "device");
  const cuda =
    typeof driver?.cuda === "number" ? `${Math.floor(driver.cuda / 1000)}.${(driver.cuda % 1000) / 10}` : null;
  return { name: device?.name ?? "unknown device", driver: driver?.version ?? null, cuda };
}

/** All that the driver lists; of the emulation two devices. */
export function listedDevices(root: string, isEmulated: boolean) {
  const lines = listed(root, isEmulated);
  const devices = lines
    .filter(({ kind }) => kind === "device")
    .map(({ index = 0, uuid = "", name = "", slices = [] }): ListedDevice => {
      return { index, uuid, name, slices: slices.map((slice) => slice.uuid) };
    });
  const links = lines
    .filter(({ kind }) => kind === "link")
    .map(({ a = 0, b = 0, nvlink = false }): ListedLink => ({ a, b, nvlink }));
  return { devices, links };
}

function listed(root: string, isEmulated: boolean): Line[] {
  const program = join(root, "packages/gnn-core/build/hopwise-devices");
  try {
    const output = execFileSync(program, ["--json", ...(isEmulated ? ["--emulated", "2"] : [])], {
      encoding: "utf8",
      timeout: 20_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  } catch {
    return [];
  }
}
