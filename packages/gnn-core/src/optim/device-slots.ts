import type { CudaAddon } from "../backends/cuda/addon.ts";
import type { FloatsHandle } from "../backends/cuda/memory-addon.ts";

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
      const all = joined(slots, j);
      this.#addon.download(handle, all);
      let begin = 0;
      for (const arrays of slots) {
        const values = arrays[j] as Float32Array;
        values.set(all.subarray(begin, begin + values.length));
        begin += values.length;
      }
    }
  }

  dispose(): void {
    for (const handle of this.handles) this.#addon.giveBack(handle);
  }
}

function joined(slots: HostSlots, j: number): Float32Array {
  const arrays = slots.map((of) => of[j] as Float32Array);
  const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let begin = 0;
  for (const values of arrays) {
    all.set(values, begin);
    begin += values.length;
  }
  return all;
}
