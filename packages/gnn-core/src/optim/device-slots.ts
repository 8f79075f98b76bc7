import type { CudaAddon } from "../backends/cuda/addon.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";
import { devicePlaces } from "./device-places.ts";

type HostSlots = readonly (readonly Float32Array[])[];

/** An optimizer's state on a device: one array for each slot, with all variables' parts one behind the other. */
export class DeviceSlots {
  readonly handles: readonly FloatsHandle[];
  readonly #addon: CudaAddon;

  /** @param slots the state on the host, by variable and slot */
  constructor(addon: CudaAddon, numSlots: number, slots: HostSlots) {
    this.#addon = addon;
    this.handles = Array.from({ length: numSlots }, (_, j) => addon.uploadFloats(joined(slots, j)));
  }

  /** Writes the state to the host's arrays; waits for the device. */
  read(slots: HostSlots): void {
    for (const [j, handle] of this.handles.entries()) {
      const { places, length } = placesOf(slots, j);
      const all = new Float32Array(length);
      this.#addon.download(handle, all);
      for (const [i, { begin, end }] of places.entries()) slots[i]?.[j]?.set(all.subarray(begin, end));
    }
  }

  dispose(): void {
    for (const handle of this.handles) this.#addon.giveBack(handle);
  }
}

function joined(slots: HostSlots, j: number): Float32Array {
  const { places, length } = placesOf(slots, j);
  const all = new Float32Array(length);
  for (const [i, { begin }] of places.entries()) all.set(slots[i]?.[j] as Float32Array, begin);
  return all;
}

function placesOf(slots: HostSlots, j: number) {
  return devicePlaces(slots.map((of) => (of[j] as Float32Array).length));
}
