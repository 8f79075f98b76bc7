import { GnnError } from "../errors/gnn-error.ts";
import { npyLength } from "../io/npy-header.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import { SafetensorsReader } from "../io/safetensors-file.ts";
import type { UploadedFile } from "../io/uploaded-files.ts";

/** A float32 tensor that a file must have. */
export interface ExpectedTensor {
  readonly name: string;
  readonly shape: readonly number[];
}

/** As many as a model may have take less. */
const mostHeaderBytes = 4 * 1024 ** 2;

/**
 * Reads a file of a stranger that must hold exactly these tensors, in any order. Nothing is read of it before its
 * header says so.
 *
 * @param onTensor called before each of them is read; may throw to end it
 * @returns them in the order of `expected`
 * @throws GnnError MODEL_INVALID naming the file and the first tensor that is missing, unknown, of another type or
 * shape, or not finite
 */
export async function readExpectedTensors(
  { path, name: file }: UploadedFile,
  expected: readonly ExpectedTensor[],
  onTensor: () => void,
): Promise<readonly NamedTensor[]> {
  const reader = await SafetensorsReader.open(path, mostHeaderBytes).catch((error: unknown) => {
    if (!(error instanceof GnnError)) throw error;
    throw refused(file, undefined, error.message.replaceAll(path, file), error);
  });
  try {
    requireNames(file, [...reader.tensors.keys()], expected);
    const tensors: NamedTensor[] = [];
    for (const { name, shape } of expected) {
      onTensor();
      requireForm(file, reader, { name, shape });
      const values = new Float32Array(npyLength(shape));
      await reader.read(name, 0, values);
      requireFinite(file, name, values);
      tensors.push({ name, shape, values });
    }
    return tensors;
  } finally {
    await reader.close();
  }
}

function requireNames(file: string, found: readonly string[], expected: readonly ExpectedTensor[]): void {
  const names = new Set(expected.map(({ name }) => name));
  const missing = expected.find(({ name }) => !found.includes(name));
  if (missing) {
    const there = `the file has ${shown(found)}`;
    throw refused(
      file,
      missing.name,
      `${file} lacks the tensor ${missing.name} [${missing.shape.join(", ")}]; ${there}.`,
    );
  }
  const other = found.find((name) => !names.has(name));
  if (other === undefined) return;
  throw refused(file, other, `${file}: the model has no tensor ${shown([other])}; it has ${shown([...names])}.`);
}

function requireForm(file: string, { tensors }: SafetensorsReader, { name, shape }: ExpectedTensor): void {
  const found = tensors.get(name);
  if (found?.dtype !== "F32") {
    throw refused(file, name, `${file}: ${name} is of type ${found?.dtype}; expected F32, so convert it to float32.`);
  }
  if (found.shape.join() === shape.join()) return;
  const message = `${file}: ${name} has the shape [${found.shape.join(", ")}]; the card's model has [${shape.join(", ")}] here. Weights lie as inputs × outputs.`;
  throw refused(file, name, message);
}

function requireFinite(file: string, name: string, values: Float32Array): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  throw refused(file, name, `${file}: value ${at} of ${name} is ${values[at]}; weights are finite numbers.`);
}

const mostShown = 12;

function shown(names: readonly string[]): string {
  const first = names.slice(0, mostShown).map((name) => (name.length > 100 ? `${name.slice(0, 100)}…` : name));
  const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : "";
  return first.length === 0 ? "none" : `${first.join(", ")}${more}`;
}

function refused(file: string, field: string | undefined, message: string, cause?: unknown): GnnError {
  const place = { file, ...(field !== undefined && { field: field.slice(0, 200) }) };
  return new GnnError("MODEL_INVALID", message, { place, cause });
}
