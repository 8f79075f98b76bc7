import { GnnError } from "../errors/gnn-error.ts";
import { int64At, int64Words } from "./int64.ts";
import { npyLength, parseForeignNpyHeader } from "./npy-header.ts";

/** Bytes per element of the numpy types that hold real numbers, and how a run of them is read. */
const numberTypes: Record<string, { bytes: number; read: (bytes: ArrayBuffer) => ArrayLike<number> }> = {
  "<f2": { bytes: 2, read: (bytes) => Float32Array.from(new Uint16Array(bytes), numberOfHalf) },
  "<f4": { bytes: 4, read: (bytes) => new Float32Array(bytes) },
  "<f8": { bytes: 8, read: (bytes) => new Float64Array(bytes) },
  "<i8": { bytes: 8, read: readInt64 },
  "<u8": { bytes: 8, read: (bytes) => Float64Array.from(new BigUint64Array(bytes), Number) },
  "<i4": { bytes: 4, read: (bytes) => new Int32Array(bytes) },
  "<u4": { bytes: 4, read: (bytes) => new Uint32Array(bytes) },
  "<i2": { bytes: 2, read: (bytes) => new Int16Array(bytes) },
  "<u2": { bytes: 2, read: (bytes) => new Uint16Array(bytes) },
  "|i1": { bytes: 1, read: (bytes) => new Int8Array(bytes) },
  "|u1": { bytes: 1, read: (bytes) => new Uint8Array(bytes) },
  "|b1": { bytes: 1, read: (bytes) => new Uint8Array(bytes) },
};

/** The number that the bits of an IEEE binary16 mean. */
function numberOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction > 0 ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

function readInt64(bytes: ArrayBuffer): Float64Array {
  const values = new BigInt64Array(bytes);
  const words = int64Words(values);
  return Float64Array.from({ length: values.length }, (_, i) => int64At(words, i));
}

/** @throws GnnError DATASET_FORMAT_INVALID for types that are no real numbers, and big-endian ones */
export function numberType(descr: string, file: string) {
  const type = numberTypes[descr];
  if (type) return type;
  const message = `${file}: its elements are of numpy type '${descr}'; expected little-endian numbers such as '<f4'. Save array.astype('float32').`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

/** The elements of a user's `.npy` bytes, of any number type. @throws GnnError DATASET_FORMAT_INVALID */
export function numbersOf(npy: Uint8Array, file: string): ArrayLike<number> {
  const { descr, shape, dataOffset } = parseForeignNpyHeader(npy, file);
  const { bytes, read } = numberType(descr, file);
  const end = dataOffset + npyLength(shape) * bytes;
  if (end > npy.length) {
    throw new GnnError("DATASET_FORMAT_INVALID", `${file} is cut off. Upload it again.`, { place: { file } });
  }
  const copy = new Uint8Array(npy.subarray(dataOffset, end));
  return read(copy.buffer);
}
