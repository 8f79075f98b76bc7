import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import { npyLength } from "./npy-header.ts";

/** An array of a `.safetensors` file, without its values. */
export interface TensorPlace {
  readonly name: string;
  readonly dtype: "F32" | "I32";
  readonly shape: readonly number[];
}

interface PlacedTensor extends TensorPlace {
  /** Position of its first byte, from the beginning of the file */
  readonly position: number;
}

/** Writes a `.safetensors` file of arrays that nobody holds whole: their values in the order given, piece by piece. */
export class SafetensorsWriter {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws GnnError SHAPE_MISMATCH when a name is used twice */
  static async open(
    path: string,
    tensors: readonly TensorPlace[],
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<SafetensorsWriter> {
    const header = headerBytes(tensors, metadata, path);
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, "w");
    await file.writeFile(header);
    return new SafetensorsWriter(file);
  }

  async append({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): Promise<void> {
    await this.#file.writeFile(new Uint8Array(buffer, byteOffset, byteLength));
  }

  async close(): Promise<void> {
    try {
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }
}

function headerBytes(
  tensors: readonly TensorPlace[],
  metadata: Readonly<Record<string, string>>,
  path: string,
): Uint8Array {
  const entries: Record<string, unknown> = Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {};
  let offset = 0;
  for (const { name, dtype, shape } of tensors) {
    if (Object.hasOwn(entries, name)) throw new GnnError("SHAPE_MISMATCH", `${path}: two tensors are called ${name}.`);
    const end = offset + npyLength(shape) * 4;
    entries[name] = { dtype, shape, data_offsets: [offset, end] };
    offset = end;
  }
  const text = new TextEncoder().encode(JSON.stringify(entries));
  const length = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20, 8);
  new DataView(bytes.buffer).setUint32(0, length, true);
  bytes.set(text, 8);
  return bytes;
}

/** Reads parts of the arrays of a `.safetensors` file. */
export class SafetensorsReader {
  readonly metadata: Readonly<Record<string, string>>;
  /** In the order of the file's header */
  readonly tensors: ReadonlyMap<string, TensorPlace>;
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(
    path: string,
    file: FileHandle,
    { tensors, metadata }: Pick<SafetensorsReader, "tensors" | "metadata">,
  ) {
    this.#path = path;
    this.#file = file;
    this.tensors = tensors;
    this.metadata = metadata;
  }

  /**
   * @throws GnnError CHECKPOINT_INVALID when the file is cut off, malformed or holds other types than float32 and int32
   */
  static async open(path: string, mostHeaderBytes = maxHeaderBytes): Promise<SafetensorsReader> {
    const file = await open(path, "r");
    try {
      return new SafetensorsReader(path, file, await readHeader(path, file, mostHeaderBytes));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Values of an array, from its element `first` on, until `into` is full. */
  async read(name: string, first: number, into: Float32Array | Int32Array): Promise<void> {
    const { shape, position } = this.tensors.get(name) as PlacedTensor;
    if (first + into.length > npyLength(shape)) throw invalid(this.#path, `${name} has no more values`);
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    if (await readFully(this.#file, bytes, position + first * 4)) return;
    throw invalid(this.#path, `${name} is cut off`);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** As the format's own library has it */
const maxHeaderBytes = 100_000_000;

const texts = z.record(z.string(), z.string());
const wholeNumber = z.number().int().nonnegative();
const tensorEntry = z.strictObject({
  dtype: z.string(),
  shape: z.array(wholeNumber),
  data_offsets: z.tuple([wholeNumber, wholeNumber]),
});

async function readHeader(
  path: string,
  file: FileHandle,
  mostBytes: number,
): Promise<Pick<SafetensorsReader, "tensors" | "metadata">> {
  const { size } = await file.stat();
  const lengthBytes = Buffer.alloc(8);
  const length = (await readFully(file, lengthBytes, 0))
    ? Number(lengthBytes.readBigUInt64LE(0))
    : Number.POSITIVE_INFINITY;
  if (8 + length > size) throw invalid(path, "the header is cut off");
  if (length > mostBytes) throw invalid(path, `the header has ${length} bytes, and may have ${mostBytes}`);
  const text = Buffer.alloc(length);
  await readFully(file, text, 8);
  const json = decoded(path, text);
  const { __metadata__: notes, ...entries } = parsedHeader(path, json);
  const metadata = texts.safeParse(notes ?? {});
  if (!metadata.success) throw invalid(path, "the metadata are no texts");
  const tensors = new Map<string, PlacedTensor>();
  for (const [name, entry] of Object.entries(entries)) tensors.set(name, placed(path, name, entry, 8 + length, size));
  // JSON.parse keeps the last of a name that stands twice in one object.
  const numNotes = notes === undefined ? 0 : 1 + Object.keys(metadata.data).length;
  if (countNames(json) !== numNotes + tensors.size * 4) throw invalid(path, "a name stands twice in the header");
  requireNoGaps(path, [...tensors.values()], { data: 8 + length, size });
  return { tensors, metadata: metadata.data };
}

function parsedHeader(path: string, text: string): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw invalid(path, "the header is not JSON");
  }
  if (typeof header !== "object" || header === null || Array.isArray(header)) {
    throw invalid(path, "the header is no object");
  }
  return header as Record<string, unknown>;
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid(path, "the header is not UTF-8");
  }
}

/** Names in a text that is known to be JSON: each stands in front of a colon outside texts. */
function countNames(json: string): number {
  let names = 0;
  let isInText = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (isInText && character === "\\") i++;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && character === ":") names++;
  }
  return names;
}

function placed(path: string, name: string, entry: unknown, data: number, size: number): PlacedTensor {
  const found = tensorEntry.safeParse(entry);
  if (name === "") throw invalid(path, "a tensor has no name");
  if (!found.success) throw invalid(path, `${shown(name)} has no type, shape or place`);
  const { dtype, shape, data_offsets: offsets } = found.data;
  if (dtype !== "F32" && dtype !== "I32") throw invalid(path, `${shown(name)} is of type ${shown(dtype)}`);
  const [start, end] = offsets;
  if (data + end > size || end - start !== npyLength(shape) * 4) {
    throw invalid(path, `${shown(name)} does not fit the file`);
  }
  return { name, dtype, shape, position: data + start };
}

/** The format has each byte behind the header belong to one tensor. */
function requireNoGaps(
  path: string,
  tensors: readonly PlacedTensor[],
  { data, size }: { readonly data: number; readonly size: number },
): void {
  const endOf = ({ position, shape }: PlacedTensor) => position + npyLength(shape) * 4;
  let next = data;
  // A tensor without values lies in front of the one that begins at the same place.
  for (const tensor of tensors.toSorted((a, b) => a.position - b.position || endOf(a) - endOf(b))) {
    if (tensor.position < next) throw invalid(path, `${shown(tensor.name)} overlaps another tensor`);
    if (tensor.position > next) throw invalid(path, `bytes in front of ${shown(tensor.name)} belong to no tensor`);
    next = endOf(tensor);
  }
  if (next < size) throw invalid(path, `${size - next} bytes at the end belong to no tensor`);
}

/** Names of strangers are as long as they like. */
function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}

// One read call moves at most 2 GiB on Linux.
const maxTransfer = 1 << 30;

/** @returns whether there were as many bytes */
async function readFully(file: FileHandle, into: Uint8Array, position: number): Promise<boolean> {
  for (let done = 0; done < into.byteLength; ) {
    const length = Math.min(maxTransfer, into.byteLength - done);
    const { bytesRead } = await file.read(into, done, length, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}

function invalid(path: string, found: string): GnnError {
  return new GnnError("CHECKPOINT_INVALID", `${path}: ${found}; expected safetensors of float32 and int32.`, {
    place: { file: path },
  });
}
