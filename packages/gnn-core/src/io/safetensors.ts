import { GnnError } from "../errors/gnn-error.ts";
import { npyLength } from "./npy-header.ts";
import { SafetensorsReader, SafetensorsWriter, type TensorPlace } from "./safetensors-file.ts";

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
  for (const { name, shape, values } of tensors) {
    if (values.length === npyLength(shape)) continue;
    throw new GnnError("SHAPE_MISMATCH", `${name}: ${values.length} values do not fill [${shape.join(", ")}].`);
  }
  const writer = await SafetensorsWriter.open(path, tensors.map(placeOf), metadata);
  try {
    for (const { values } of tensors) await writer.append(values);
  } finally {
    await writer.close();
  }
}

/** What a file's header says of a tensor */
export function placeOf({ name, shape, values }: NamedTensor): TensorPlace {
  return { name, shape, dtype: values instanceof Float32Array ? "F32" : "I32" };
}

/**
 * Reads a `.safetensors` file of float32 and int32 tensors; every array is a copy of its own.
 *
 * @throws GnnError CHECKPOINT_INVALID when the file is cut off, malformed or holds other types
 */
export async function readSafetensors(path: string): Promise<SafetensorsFile> {
  const reader = await SafetensorsReader.open(path);
  try {
    const tensors = new Map<string, NamedTensor>();
    for (const { name, dtype, shape } of reader.tensors.values()) {
      const values = dtype === "F32" ? new Float32Array(npyLength(shape)) : new Int32Array(npyLength(shape));
      await reader.read(name, 0, values);
      tensors.set(name, { name, shape, values });
    }
    return { tensors, metadata: reader.metadata };
  } finally {
    await reader.close();
  }
}
