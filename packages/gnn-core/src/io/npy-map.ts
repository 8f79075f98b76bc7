import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type NpyDtype, npyDtypes, npyLength, parseNpyHeader } from "./npy-header.ts";

export interface NpyArrays {
  int64: BigInt64Array;
  int32: Int32Array;
  float32: Float32Array;
  /** The bits of each binary16. */
  float16: Uint16Array;
  int8: Int8Array;
  uint8: Uint8Array;
}

export interface MappedNpy<T extends NpyDtype = NpyDtype> {
  readonly dtype: T;
  readonly shape: readonly number[];
  /** The file's own pages, read-only: a write to them ends the process. Valid as long as it is referenced. */
  readonly values: NpyArrays[T];
}

const arrayTypes = {
  int64: BigInt64Array,
  int32: Int32Array,
  float32: Float32Array,
  float16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
} as const;

/**
 * Maps a `.npy` file into memory as a typed array, without reading or copying it.
 *
 * @param dtype the element type it must have; left out: any
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID (not .npy, cut off, or of another type)
 */
export function mapNpy<T extends NpyDtype = NpyDtype>(path: string, dtype?: T): MappedNpy<T> {
  const buffer = nativeSync(() => loadAddon().mapFile(path));
  const header = parseNpyHeader(new Uint8Array(buffer, 0, Math.min(buffer.byteLength, 65_536)), path);
  const invalid = (message: string) =>
    new GnnError("DATASET_FORMAT_INVALID", `${path}: ${message}`, { place: { file: path } });
  if (dtype && header.dtype !== dtype) throw invalid(`the elements are ${header.dtype}; expected ${dtype}.`);
  const length = npyLength(header.shape);
  const expected = header.dataOffset + length * npyDtypes[header.dtype].bytes;
  if (buffer.byteLength < expected) {
    throw invalid(`it has ${buffer.byteLength} bytes; its header promises ${expected}. Fetch the file again.`);
  }
  return {
    dtype: header.dtype as T,
    shape: header.shape,
    values: view(buffer, header.dtype, header.dataOffset, length) as NpyArrays[T],
  };
}

function view(buffer: ArrayBuffer, dtype: NpyDtype, offset: number, length: number): NpyArrays[NpyDtype] {
  const ArrayType = arrayTypes[dtype];
  // Foreign writers may not align the elements; ours do, so this copy never happens to a large array of ours.
  if (offset % npyDtypes[dtype].bytes !== 0) {
    return new ArrayType(buffer.slice(offset, offset + length * npyDtypes[dtype].bytes));
  }
  return new ArrayType(buffer, offset, length);
}

/** Shared writable memory for the ranks of one host: a float32 array over a scratch file, zero-filled when new. */
export function mapSharedFloat32(path: string, length: number): Float32Array {
  return new Float32Array(nativeSync(() => loadAddon().mapFileWritable(path, length * Float32Array.BYTES_PER_ELEMENT)));
}
