import { z } from "zod";

/** How two GPUs of a host reach each other, the fastest first. All but the first are the PCI paths that NVML names. */
export const deviceLinkKinds = ["nvlink", "board", "switch", "switches", "host-bridge", "numa-node", "system"] as const;

const deviceLink = z.object({
  /** UUID of the other one */
  to: z.string(),
  kind: z.enum(deviceLinkKinds),
});
export type DeviceLink = z.infer<typeof deviceLink>;

/** How busy a device is now; what its driver does not tell is null. */
export const deviceUse = z.object({
  memoryBytes: z.number().nullable().default(null).describe("Allocated, by whatever program"),
  utilization: z.number().nullable().default(null).describe("Share of the last moments in which a kernel ran, 0 to 1"),
  powerWatts: z.number().nullable().default(null),
});
export type DeviceUse = z.infer<typeof deviceUse>;

/**
 * A device that ranks compute on. A slice of a GPU (MIG) is a device like any other. What was announced before a field
 * existed reads as not known.
 */
export const workerDevice = z.object({
  kind: z.enum(["cpu", "cuda"]),
  index: z.number().int(),
  name: z.string(),
  memoryBytes: z.number().describe("0: not known"),
  uuid: z
    .string()
    .nullable()
    .default(null)
    .describe("By which a rank gets it for itself alone, on whichever worker; null: a CPU, which ranks share"),
  computeCapability: z.string().nullable().default(null).describe("For example 9.0"),
  driverVersion: z.string().nullable().default(null),
  migParent: z.string().nullable().default(null).describe("UUID of the GPU that it is a slice of"),
  links: z.array(deviceLink).default([]).describe("To the other devices of its worker"),
  isEmulated: z.boolean().default(false).describe("Computed on the CPU, for tests; only jobs that ask for cuda get it"),
  use: deviceUse.nullable().default(null).describe("Null: not known"),
});
export type WorkerDevice = z.infer<typeof workerDevice>;
/** What `resources.device` may name, and `StageTask.device` does. */
export type DeviceKind = WorkerDevice["kind"];
