import { AppError } from "@hopwise/contracts";

const constructors = { "<f4": Float32Array, "<i4": Int32Array, "|u1": Uint8Array, "|i1": Int8Array } as const;
type NpyArray = Float32Array | Int32Array | Uint8Array | Int8Array | BigInt64Array;

/**
 * The array of a little-endian, C-ordered `.npy` version 1 file.
 *
 * @throws AppError MANIFEST_INVALID when the bytes are something else
 */
export function parseNpy(file: Buffer): { data: NpyArray; shape: readonly number[] } {
  const headerEnd = 10 + file.readUInt16LE(8);
  const header = file.subarray(10, headerEnd).toString("latin1");
  const descr = /'descr': *'([^']+)'/.exec(header)?.[1];
  const shape = (/'shape': *\(([^)]*)\)/.exec(header)?.[1] ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(Number);
  const bytes = Uint8Array.prototype.slice.call(file, headerEnd).buffer; // copied: aligned at 0
  if (descr === "<i8") return { data: new BigInt64Array(bytes), shape };
  const Constructor = constructors[descr as keyof typeof constructors];
  if (!Constructor || header.includes("'fortran_order': True")) {
    throw new AppError(
      "MANIFEST_INVALID",
      `A stored array has the type ${descr ?? "of an unknown header"}; expected <f4, <i4, <i8, |u1 or |i1.`,
    );
  }
  return { data: new Constructor(bytes), shape };
}
