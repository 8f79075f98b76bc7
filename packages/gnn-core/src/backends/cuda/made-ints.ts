import type { IntsHandle } from "./memory-addon.ts";

const made = new WeakMap<Int32Array, IntsHandle>();

/** Remembers that the device made these integers, which came down to the host: they need not go up again. */
export function noteMadeOnDevice(values: Int32Array, handle: IntsHandle): void {
  made.set(values, handle);
}

/** Where the device has integers that it made; null: it has them from nobody but the host. */
export function madeOnDevice(values: Int32Array): IntsHandle | null {
  return made.get(values) ?? null;
}
