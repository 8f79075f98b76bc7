import { GnnError } from "../errors/gnn-error.ts";
import { int64At, int64Words } from "./int64.ts";
import { npyLength, parseForeignNpyHeader } from "./npy-header.ts";

interface NumberType {
  readonly bytes: number;
  readonly read: (bytes: ArrayBuffer) => ArrayLike<number>;
}

/** Bytes per element of the numpy types that hold real numbers, and how a run of them is read. */
const numberTypes: Record<string, NumberType> = {
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

/** The other end of each number first, in place */
const swaps: Readonly<Record<number, (bytes: Buffer) => Buffer>> = {
  2: (bytes) => bytes.swap16(),
  4: (bytes) => bytes.swap32(),
  8: (bytes) => bytes.swap64(),
};

/** @throws GnnError DATASET_FORMAT_INVALID for types that are no real numbers */
export function numberType(descr: string, file: string): NumberType {
  const type = numberTypes[descr.replace(">", "<")] ?? numberTypes[descr.replace(/^[<>=]/, "|")];
  if (!type) {
    const message = `${file}: its elements are of numpy type '${descr}'; expected real numbers such as '<f4'. Save array.astype('float32').`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
  }
  const swap = descr.startsWith(">") ? swaps[type.bytes] : undefined;
  if (!swap) return type;
  const read = (bytes: ArrayBuffer) => {
    swap(Buffer.from(bytes));
    return type.read(bytes);
  };
  return { bytes: type.bytes, read };
}

/** The elements of a user's `.npy` bytes, of any number type. @throws GnnError DATASET_FORMAT_INVALID */
export function numbersOf(npy: Uint8Array, file: string): ArrayLike<number> {
  const { descr, shape, isFortran, dataOffset } = parseForeignNpyHeader(npy, file);
  const { bytes, read } = numberType(descr, file);
  if (isFortran) {
    const message = `${file}: the array is in Fortran order; expected one row after another. Save numpy.ascontiguousarray(array).`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
  }
  const end = dataOffset + npyLength(shape) * bytes;
  if (end > npy.length) {
    throw new GnnError("DATASET_FORMAT_INVALID", `${file} is cut off. Upload it again.`, { place: { file } });
  }
  const copy = new Uint8Array(npy.subarray(dataOffset, end));
  return read(copy.buffer);
}
