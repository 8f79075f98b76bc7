import { mkdir, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { npyLength } from "./npy-header.ts";

/** A named array as it lies in a `.safetensors` file. */
export interface NamedTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | Int32Array;
}

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, NamedTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

interface HeaderEntry {
  readonly dtype: "F32" | "I32";
  readonly shape: number[];
  readonly data_offsets: [number, number];
}

/**
 * Writes named float32 and int32 tensors in the safetensors format: an 8-byte header length, a JSON header
 * padded to 8 bytes, then the arrays in the order given. Equal input gives equal bytes.
 *
 * @throws GnnError SHAPE_MISMATCH when values do not fill their shape or a name is used twice
 */
export async function writeSafetensors(
  path: string,
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const header = headerBytes(tensors, metadata, path);
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "w");
  try {
    await file.writeFile(header);
    for (const { values } of tensors) {
      await file.writeFile(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

function headerBytes(
  tensors: readonly NamedTensor[],
  metadata: Readonly<Record<string, string>>,
  path: string,
): Uint8Array {
  const entries: Record<string, unknown> = Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {};
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    if (Object.hasOwn(entries, name)) throw new GnnError("SHAPE_MISMATCH", `${path}: two tensors are called ${name}.`);
    if (values.length !== npyLength(shape)) {
      throw new GnnError("SHAPE_MISMATCH", `${name}: ${values.length} values do not fill [${shape.join(", ")}].`);
    }
    const dtype = values instanceof Float32Array ? "F32" : "I32";
    entries[name] = { dtype, shape, data_offsets: [offset, offset + values.byteLength] };
    offset += values.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(entries));
  const length = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20, 8);
  new DataView(bytes.buffer).setUint32(0, length, true);
  bytes.set(text, 8);
  return bytes;
}

/**
 * Reads a `.safetensors` file of float32 and int32 tensors; every array is a copy of its own.
 *
 * @throws GnnError CHECKPOINT_INVALID when the file is cut off, malformed or holds other types
 */
export async function readSafetensors(path: string): Promise<SafetensorsFile> {
  const bytes = await readFile(path);
  const invalid = (found: string) =>
    new GnnError("CHECKPOINT_INVALID", `${path}: ${found}; expected safetensors of float32 and int32.`, {
      place: { file: path },
    });
  const headerLength = bytes.length >= 8 ? Number(bytes.readBigUInt64LE(0)) : Number.POSITIVE_INFINITY;
  if (8 + headerLength > bytes.length) throw invalid("the header is cut off");
  const header = parseHeader(bytes.subarray(8, 8 + headerLength), invalid);
  const { __metadata__: metadata = {}, ...entries } = header;
  const data = bytes.subarray(8 + headerLength);
  const tensors = new Map<string, NamedTensor>();
  for (const [name, entry] of Object.entries(entries)) {
    tensors.set(name, tensorOf(name, entry as Partial<HeaderEntry>, data, invalid));
  }
  return { tensors, metadata: metadata as Record<string, string> };
}

function parseHeader(bytes: Uint8Array, invalid: (found: string) => GnnError): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Record<string, unknown>;
  } catch {
    throw invalid("the header is not JSON");
  }
}

function tensorOf(
  name: string,
  entry: Partial<HeaderEntry>,
  data: Uint8Array,
  invalid: (found: string) => GnnError,
): NamedTensor {
  const { dtype, shape, data_offsets: offsets } = entry;
  if (dtype !== "F32" && dtype !== "I32") throw invalid(`${name} is of type ${String(dtype)}`);
  if (!shape || !offsets) throw invalid(`${name} has no shape or place`);
  const [start, end] = offsets;
  if (end > data.length || end - start !== npyLength(shape) * 4) throw invalid(`${name} does not fit the file`);
  const { buffer } = new Uint8Array(data.subarray(start, end));
  return { name, shape, values: dtype === "F32" ? new Float32Array(buffer) : new Int32Array(buffer) };
}
