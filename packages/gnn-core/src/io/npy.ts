import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { formatNpyHeader, type NpyDtype, npyDtypes, npyLength, parseNpyHeader } from "./npy-header.ts";

export interface NpyArrayOf {
  int64: BigInt64Array;
  int32: Int32Array;
  float32: Float32Array;
  /** The bits of each binary16. */
  float16: Uint16Array;
  int8: Int8Array;
  uint8: Uint8Array;
}

const arrayTypes = {
  int64: BigInt64Array,
  int32: Int32Array,
  float32: Float32Array,
  float16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
};

export interface NpyArray<T extends NpyDtype = NpyDtype> {
  readonly dtype: T;
  readonly shape: readonly number[];
  readonly values: NpyArrayOf[T];
}

/** A blob of a manifest draft, as the writers return it. */
export interface WrittenArray {
  readonly name: string;
  readonly dtype: NpyDtype;
  readonly shape: number[];
}

/** Writes a whole array; the folder is made when missing. */
export async function writeNpy<T extends NpyDtype>(
  path: string,
  dtype: T,
  shape: readonly number[],
  values: NpyArrayOf[T],
): Promise<void> {
  if (values.length !== npyLength(shape)) {
    throw new GnnError("SHAPE_MISMATCH", `${path}: ${values.length} elements do not fill shape [${shape.join(", ")}].`);
  }
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w");
  try {
    await writeBytes(file, formatNpyHeader(dtype, shape));
    await writeBytes(file, bytesOf(values));
  } finally {
    await file.close();
  }
}

/**
 * Reads a whole array.
 *
 * @param dtype the element type it must have; left out: any of ours
 * @throws GnnError DATASET_FORMAT_INVALID when it is not `.npy`, cut off or of another type
 */
export async function readNpy<T extends NpyDtype>(path: string, dtype?: T): Promise<NpyArray<T>> {
  const bytes = await readFile(path);
  const header = parseNpyHeader(bytes, path);
  const values = viewOf(bytes.subarray(header.dataOffset), header.dtype, npyLength(header.shape), path);
  if (dtype && header.dtype !== dtype) throw wrongType(path, header.dtype, dtype);
  return { dtype: header.dtype as T, shape: header.shape, values: values as NpyArrayOf[T] };
}

/** Appends rows to a `.npy` file whose number of rows is known only at the end; the header is written on close. */
export class NpyWriter<T extends NpyDtype> {
  readonly dtype: T;
  readonly #file: FileHandle;
  readonly #rowShape: readonly number[];
  readonly #headerBytes: number;
  #position: number;
  #rows = 0;

  private constructor(file: FileHandle, dtype: T, rowShape: readonly number[]) {
    this.#file = file;
    this.dtype = dtype;
    this.#rowShape = rowShape;
    this.#headerBytes = formatNpyHeader(dtype, [Number.MAX_SAFE_INTEGER, ...rowShape]).length;
    this.#position = this.#headerBytes;
  }

  /** @param rowShape shape of one row: `[]` for a vector, `[dim]` for a matrix */
  static async open<T extends NpyDtype>(path: string, dtype: T, rowShape: readonly number[]): Promise<NpyWriter<T>> {
    await mkdir(dirname(path), { recursive: true });
    return new NpyWriter(await open(path, "w"), dtype, rowShape);
  }

  /** Appends whole rows. `values` may be changed afterwards. */
  async append(values: NpyArrayOf[T]): Promise<void> {
    await writeBytes(this.#file, bytesOf(values), this.#position);
    this.#position += values.byteLength;
    this.#rows += values.length / npyLength(this.#rowShape);
  }

  /** Writes the header and closes the file. @returns the shape */
  async close(): Promise<number[]> {
    const shape = [this.#rows, ...this.#rowShape];
    try {
      await writeBytes(this.#file, formatNpyHeader(this.dtype, shape, this.#headerBytes), 0);
    } finally {
      await this.#file.close();
    }
    return shape;
  }

  /** Closes without a header: the file is not to be used. */
  async abandon(): Promise<void> {
    await this.#file.close();
  }
}

/** Reads rows of a `.npy` file without holding all of it. */
export class NpyReader<T extends NpyDtype> {
  readonly dtype: T;
  readonly shape: readonly number[];
  readonly numRows: number;
  /** Elements per row. */
  readonly rowLength: number;
  readonly #file: FileHandle;
  readonly #dataOffset: number;
  readonly #path: string;

  private constructor(file: FileHandle, path: string, dtype: T, shape: readonly number[], dataOffset: number) {
    this.#file = file;
    this.#path = path;
    this.#dataOffset = dataOffset;
    this.dtype = dtype;
    this.shape = shape;
    this.numRows = shape[0] ?? 0;
    this.rowLength = npyLength(shape.slice(1));
  }

  /** @throws GnnError DATASET_FORMAT_INVALID */
  static async open<T extends NpyDtype>(path: string, dtype: T): Promise<NpyReader<T>> {
    const file = await open(path, "r");
    try {
      const head = new Uint8Array(4096);
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      const header = parseNpyHeader(head.subarray(0, bytesRead), path);
      if (header.dtype !== dtype) throw wrongType(path, header.dtype, dtype);
      return new NpyReader(file, path, dtype, header.shape, header.dataOffset);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Rows [start, start + count), cut at the last row; a fresh array. */
  async readRows(start: number, count: number): Promise<NpyArrayOf[T]> {
    const length = Math.max(0, Math.min(count, this.numRows - start)) * this.rowLength;
    const { bytes } = npyDtypes[this.dtype];
    const buffer = new Uint8Array(length * bytes);
    await readBytes(this.#file, buffer, this.#dataOffset + start * this.rowLength * bytes, this.#path);
    return viewOf(buffer, this.dtype, length, this.#path) as NpyArrayOf[T];
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

// One write call moves at most 2 GiB on Linux.
const maxTransfer = 1 << 30;

async function writeBytes(file: FileHandle, bytes: Uint8Array, position: number | null = null): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const length = Math.min(maxTransfer, bytes.byteLength - done);
    const at = position === null ? null : position + done;
    done += (await file.write(bytes, done, length, at)).bytesWritten;
  }
}

async function readBytes(file: FileHandle, into: Uint8Array, position: number, path: string): Promise<void> {
  for (let done = 0; done < into.byteLength; ) {
    const length = Math.min(maxTransfer, into.byteLength - done);
    const { bytesRead } = await file.read(into, done, length, position + done);
    if (bytesRead === 0) throw cutOff(path);
    done += bytesRead;
  }
}

function viewOf(bytes: Uint8Array, dtype: NpyDtype, length: number, path: string): NpyArrayOf[NpyDtype] {
  const size = length * npyDtypes[dtype].bytes;
  if (bytes.byteLength < size) throw cutOff(path);
  const isAligned = bytes.byteOffset % npyDtypes[dtype].bytes === 0;
  const source = isAligned ? bytes : new Uint8Array(bytes.subarray(0, size));
  return new arrayTypes[dtype](source.buffer as ArrayBuffer, source.byteOffset, length);
}

function bytesOf(values: NpyArrayOf[NpyDtype]): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function cutOff(path: string): GnnError {
  const message = `${path} is cut off: it has fewer bytes than its header promises. Fetch the file again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: path } });
}

function wrongType(path: string, found: NpyDtype, expected: NpyDtype): GnnError {
  const message = `${path}: the elements are ${found}; expected ${expected}.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: path } });
}
