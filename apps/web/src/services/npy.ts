const arrayTypes = { "<f4": Float32Array, "<i4": Int32Array, "|u1": Uint8Array } as const;
type Descr = keyof typeof arrayTypes;

/** Arrays by the element type that a `.npy` header names. */
export type NpyArray<D extends Descr> = InstanceType<(typeof arrayTypes)[D]>;

/**
 * The values of a `.npy` file (version 1, C order) that must have this element type.
 * @throws Error when the bytes are something else
 */
export function parseNpy<D extends Descr>(file: ArrayBuffer, expected: D): NpyArray<D> {
  const view = new DataView(file);
  const dataOffset = 10 + view.getUint16(8, true);
  const header = new TextDecoder("latin1").decode(new Uint8Array(file, 10, dataOffset - 10));
  const descr = /'descr': *'([^']+)'/.exec(header)?.[1];
  if (descr !== expected) throw new Error(`An array of the map is ${descr ?? "no .npy file"}; expected ${expected}.`);
  // The format aligns the data to 16 bytes.
  const numValues = (file.byteLength - dataOffset) / arrayTypes[expected].BYTES_PER_ELEMENT;
  return new arrayTypes[expected](file, dataOffset, numValues) as NpyArray<D>;
}
