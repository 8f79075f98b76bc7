import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listedDevices } from "../device-info.ts";
import { graphDir, isSmall } from "./arguments.ts";

const root = join(import.meta.dirname, "../../..");

export interface DeviceHere {
  readonly uuid: string;
  /** NVLink joins it to every other one */
  readonly isLinked: boolean;
}

/** The devices that this process may use, slices of sliced ones in their place; of the emulation two. */
export function severalDevices(): readonly DeviceHere[] {
  const { devices, links } = listedDevices(root, isSmall);
  const visible = process.env.CUDA_VISIBLE_DEVICES?.split(",");
  const used = devices.filter(({ index, uuid }) =>
    visible ? visible.some((name) => name === String(index) || (name !== "" && uuid.startsWith(name))) : true,
  );
  const isJoined = (a: number, b: number) =>
    links.some((link) => link.nvlink && ((link.a === a && link.b === b) || (link.a === b && link.b === a)));
  return used.flatMap(({ index, uuid, slices }) => {
    if (slices.length > 0) return slices.map((slice) => ({ uuid: slice, isLinked: false }));
    return [{ uuid, isLinked: used.every((other) => other.index === index || isJoined(index, other.index)) }];
  });
}

/**
 * What the process of each device's rank is to see: that device alone. In the emulation a process has one anyway, and
 * finds a double of NCCL in its place.
 */
export async function environmentsOf(devices: readonly DeviceHere[]): Promise<NodeJS.ProcessEnv[]> {
  if (!isSmall) return devices.map(({ uuid }) => ({ CUDA_VISIBLE_DEVICES: uuid }));
  const libraries = join(dirname(graphDir), "nccl");
  const link = join(libraries, "libnccl.so.2");
  await mkdir(libraries, { recursive: true });
  await rm(link, { force: true });
  await symlink(join(root, "packages/gnn-core/build/device/test-device/nccl-double.so"), link);
  const folders = [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return devices.map(() => ({ LD_LIBRARY_PATH: folders }));
}
