import type { HostFloats, HostInts } from "../memory.ts";
import type { DeviceFeaturesHandle, DeviceShareHandle } from "./memory-addon.ts";

/** This process' own share, or what `exportShare` gave another process of theirs */
export type ShareSource = DeviceShareHandle | Uint8Array;

/** Feature matrices in shares with the devices of several processes (native/binding/device/shares_binding.cc). */
export interface SharesAddon {
  /** Where the device sits on the bus, such as "0000:65:00.0" */
  busAddress(): string;
  /** Whether NVLink joins the device with the one at another address; false where the driver does not tell */
  isJoinedByNvlink(other: string): boolean;
  /**
   * Uploads the rows [begin, end) of a matrix to memory that other processes may read, and waits for it. Its memory
   * goes back by `giveBack` alone, never with the handle: others may still read it. Throws DEVICE_OUT_OF_MEMORY
   */
  makeShare(numRows: number, segments: readonly NodeJS.TypedArray[], begin: number, end: number): DeviceShareHandle;
  /** What another process opens it by, 64 bytes. Throws DEVICE_PEER_REFUSED */
  exportShare(share: DeviceShareHandle): Uint8Array;
  /**
   * The matrix of these shares, the first rows of which ascend from 0; `segments` say of which type it is. It closes
   * the shares of others when it is given back. Throws DEVICE_PEER_REFUSED where one of them cannot be read
   */
  openShares(
    numRows: number,
    dim: number,
    segments: readonly NodeJS.TypedArray[],
    scale: HostFloats | null,
    offset: HostFloats | null,
    firstRows: HostInts,
    shares: readonly ShareSource[],
  ): DeviceFeaturesHandle;
}
