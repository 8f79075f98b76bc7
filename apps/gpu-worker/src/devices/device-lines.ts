import { type DeviceLink, type DeviceUse, deviceLinkKinds, type WorkerDevice, workerDevice } from "@hopwise/contracts";
import { z } from "zod";

const slice = z.object({ uuid: z.string(), name: z.string(), memoryTotal: z.number() });

/** A line of hopwise-devices: packages/gnn-core/native/process/devices_process.cc. */
const deviceLine = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("driver"), version: z.string(), cuda: z.number() }),
  z.object({
    kind: z.literal("device"),
    index: z.number().int(),
    uuid: z.string(),
    name: z.string(),
    memoryTotal: z.number(),
    computeCapability: z.string(),
    /** By MIG: its slices are used, and not the device itself. */
    sliced: z.boolean(),
    slices: z.array(slice),
  }),
  z.object({
    kind: z.literal("link"),
    a: z.number().int(),
    b: z.number().int(),
    nvlink: z.boolean(),
    path: z.string(),
  }),
  z.object({
    kind: z.literal("use"),
    index: z.number().int(),
    memoryFree: z.number(),
    busyPercent: z.number().nullable(),
    watts: z.number().nullable(),
  }),
  z.object({ kind: z.literal("error"), reason: z.string(), message: z.string() }),
]);
export type DeviceLine = z.infer<typeof deviceLine>;
type LineOf<K extends DeviceLine["kind"]> = Extract<DeviceLine, { kind: K }>;

/** @returns null for a line of a kind that this version does not know */
export function parseDeviceLine(text: string): DeviceLine | null {
  try {
    return deviceLine.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The devices that ranks can be given, of what the program has listed: GPUs, or their slices where they are sliced. */
export function devicesOfLines(lines: readonly DeviceLine[]): WorkerDevice[] {
  const driver = lines.find((line) => line.kind === "driver");
  const gpus = lines.filter((line) => line.kind === "device");
  const links = lines.filter((line) => line.kind === "link");
  return gpus.flatMap((gpu) => {
    const { index, computeCapability, sliced, slices } = gpu;
    const common = { kind: "cuda", index, computeCapability, driverVersion: driver?.version ?? null };
    if (sliced) {
      return slices.map(({ uuid, name, memoryTotal: memoryBytes }) =>
        workerDevice.parse({ ...common, uuid, name, memoryBytes, migParent: gpu.uuid }),
      );
    }
    const { uuid, name, memoryTotal: memoryBytes } = gpu;
    return [workerDevice.parse({ ...common, uuid, name, memoryBytes, links: linksOf(index, gpus, links) })];
  });
}

function linksOf(index: number, gpus: readonly LineOf<"device">[], links: readonly LineOf<"link">[]): DeviceLink[] {
  return links.flatMap(({ a, b, nvlink, path }) => {
    if (a !== index && b !== index) return [];
    const other = gpus.find((gpu) => gpu.index === (a === index ? b : a));
    const kind = nvlink ? "nvlink" : deviceLinkKinds.find((known) => known === path);
    return other && kind ? [{ to: other.uuid, kind }] : []; // a virtual machine may hide the path
  });
}

/** What a GPU does, by its index; its memory is what `devices` say. */
export function useOfLine(line: LineOf<"use">, { memoryBytes }: Pick<WorkerDevice, "memoryBytes">): DeviceUse {
  return {
    memoryBytes: Math.max(0, memoryBytes - line.memoryFree),
    utilization: line.busyPercent === null ? null : line.busyPercent / 100,
    powerWatts: line.watts,
  };
}
