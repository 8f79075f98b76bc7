import { join } from "node:path";
import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { mapSharedFloat32 } from "../io/npy-map.ts";

/** Memory by name, zero-filled at first, that every rank of a host sees as the same `length` float32. */
export type SharedRows = (name: string, length: number) => Float32Array;

/** Backed by files that all ranks map; the kernel writes them back only when memory is short. */
export function sharedRowsIn(scratchDir: string): SharedRows {
  return remembered((name, length) => mapSharedFloat32(join(scratchDir, `${name}.float32`), length));
}

/** For ranks of one process: memory on huge pages, the same for everyone who holds this function. */
export function sharedRowsInMemory(): SharedRows {
  return remembered((_name, length) => {
    const bytes = length * Float32Array.BYTES_PER_ELEMENT;
    return new Float32Array(nativeSync(() => loadAddon().mapMemory(bytes)));
  });
}

function remembered(make: SharedRows): SharedRows {
  const known = new Map<string, Float32Array>();
  return (name, length) => {
    const found = known.get(name);
    if (found?.length === length) return found;
    const made = make(name, length);
    known.set(name, made);
    return made;
  };
}
