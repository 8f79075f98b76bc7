import type { ArrayTypes } from "../memory.ts";
import type { KernelAddon } from "../native/addon.ts";
import type { BlockHandle, DeviceMemoryAddon, EmulationAddon, FloatsHandle, IntsHandle } from "./memory-addon.ts";
import type { PeersAddon } from "./peers-addon.ts";
import type { RowsAddon } from "./rows-addon.ts";
import type { SamplingAddon } from "./sampling-addon.ts";
import type { SharesAddon } from "./shares-addon.ts";
import type { StepAddon } from "./step-addon.ts";
import type { StockAddon } from "./stock-addon.ts";
import type { WholeGraphAddon } from "./whole-graph-addon.ts";

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
  RowsAddon &
  SamplingAddon &
  SharesAddon &
  StockAddon &
  PeersAddon &
  WholeGraphAddon &
  Partial<EmulationAddon> & { readonly signatures: readonly string[] };
