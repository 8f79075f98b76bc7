import type { TextPlaces } from "./hdf5-messages.ts";

/** In one slice */
const mostTextBytes = 64 * 2 ** 20;

/**
 * The texts of any length that elements tell the addresses of, one element after the other.
 *
 * @param elements as the library has read them
 * @param memory all that it has
 * @throws Error when there are more than a slice may have
 */
export function textsIn(elements: Uint8Array, { itemBytes, offsets }: TextPlaces, memory: Uint8Array): string[] {
  const view = new DataView(elements.buffer, elements.byteOffset, elements.byteLength);
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
  const texts: string[] = [];
  let left = mostTextBytes;
  for (let item = 0; item < elements.length; item += itemBytes) {
    for (const offset of offsets) {
      const at = view.getUint32(item + offset, true);
      const end = at === 0 ? 0 : bytes.indexOf(0, at);
      if (end < at) throw new Error("a text has no end");
      left -= end - at;
      if (left < 0) throw new Error("out of memory");
      texts.push(bytes.toString("utf8", at, end));
    }
  }
  return texts;
}
