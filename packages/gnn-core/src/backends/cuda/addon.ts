import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { GnnError } from "../../errors/gnn-error.ts";
import type { ArrayTypes } from "../memory.ts";
import type { KernelAddon } from "../native/addon.ts";
import type { BlockHandle, DeviceMemoryAddon, EmulationAddon, FloatsHandle, IntsHandle } from "./memory-addon.ts";
import type { StepAddon } from "./step-addon.ts";
import type { StockAddon } from "./stock-addon.ts";

/** Arrays on a device, behind handles. */
export interface DeviceArrays extends ArrayTypes {
  readonly floats: FloatsHandle;
  readonly ints: IntsHandle;
  readonly block: BlockHandle;
  readonly reversible: BlockHandle;
  readonly rows: FloatsHandle;
}

/** Everything that the addon of a device offers, by area. */
export type CudaAddon = KernelAddon<DeviceArrays> &
  DeviceMemoryAddon &
  StepAddon &
  StockAddon &
  Partial<EmulationAddon> & { readonly signatures: readonly string[] };

/** `gpu`: an NVIDIA GPU. `emulated`: its kernels in an emulation on the processor, for tests; too slow for more. */
export type CudaDevice = "gpu" | "emulated";

const libraries: Readonly<Record<CudaDevice, { file: string; script: string }>> = {
  gpu: { file: "hopwise-cuda.node", script: "script/build-cuda --gpu" },
  emulated: { file: "hopwise-cuda-emulated.node", script: "script/build-cuda" },
};

/**
 * The library for a device, which lies beside the native one.
 *
 * @throws GnnError NATIVE_NOT_BUILT when it is not there or cannot be loaded
 */
export function loadCudaAddon(device: CudaDevice): CudaAddon {
  const { file, script } = libraries[device];
  const path = fileURLToPath(new URL(`../../../build/${file}`, import.meta.url));
  try {
    return createRequire(import.meta.url)(path) as CudaAddon;
  } catch (cause) {
    throw new GnnError("NATIVE_NOT_BUILT", `The library ${path} cannot be loaded; run ${script}.`, { cause });
  }
}
