import { readFile, stat } from "node:fs/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { overLimit } from "../limits/reading-limits.ts";
import { arrayOf, csrOf } from "../pickle/pickle-arrays.ts";
import { PickleError } from "../pickle/pickle-bytes.ts";
import type { PickleValue } from "../pickle/pickle-values.ts";
import { readPickle } from "../pickle/read-pickle.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { BundleContext } from "./bundle.ts";
import type { SparseRows } from "./planetoid-rows.ts";

export const planetoidParts = ["x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"] as const;
export type PlanetoidPart = (typeof planetoidParts)[number];

/** What a value of a pickle takes in memory, roughly */
const bytesOfItem = 64;

export async function source({ open }: BundleContext, part: PlanetoidPart): Promise<UploadedFile> {
  return (await open(part)) as UploadedFile;
}

/** The nodes of `tx`'s rows, a number on each line */
export async function testIndex(context: BundleContext, numRows: number): Promise<number[]> {
  const { path, name, bytes } = await source(context, "test.index");
  if (bytes > 24 * (numRows + 1)) throw damaged(name, `it has more lines than tx has rows, which are ${numRows}`);
  const lines = (await readFile(path, "latin1")).split(/\r?\n/).filter((line) => line.trim() !== "");
  const bad = lines.findIndex((line) => !/^\s*\d{1,9}\s*$/.test(line));
  if (bad >= 0) throw damaged(name, `line ${bad + 1} is no number of a node`);
  if (lines.length !== numRows) throw damaged(name, `it has ${lines.length} lines and tx ${numRows} rows`);
  return lines.map(Number);
}

/**
 * A pickle of a set as what `make` takes it for.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function readPart<T>(
  context: BundleContext,
  part: PlanetoidPart,
  make: (value: PickleValue) => T,
): Promise<T> {
  const { value, name } = await pickleOf(context, part);
  return explained(name, () => make(value));
}

export async function pickleOf(
  context: BundleContext,
  part: PlanetoidPart,
): Promise<{ value: PickleValue; name: string }> {
  const { path, name } = await source(context, part);
  const { most } = context.limits.memoryBytes;
  const { size } = await stat(path);
  if (size > Math.min(most, 2 ** 31 - 1))
    throw overLimit(name, `it has ${size} bytes, which are read at once`, context.limits.memoryBytes);
  const bytes = await readFile(path);
  return { value: explained(name, () => readPickle(bytes, Math.floor(most / bytesOfItem))), name };
}

export function explained<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PickleError ? damaged(name, error.message) : error;
  }
}

export function damaged(name: string, found: string): GnnError {
  const message = `${name}: ${found}; expected a file of Planetoid, as ind.cora.graph is published. Only arrays and dicts are read of its pickles, and nothing in them is run.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name } });
}

export function sparseOf(value: PickleValue): SparseRows {
  const { numRows, dim, indptr, indices, data } = csrOf(value);
  const isShape = [numRows, dim].every((size) => Number.isInteger(size) && size >= 0 && size < 2 ** 31);
  const fits = isShape && indptr.length === numRows + 1 && indptr[0] === 0 && indptr[numRows] === indices.length;
  if (!fits || indices.length !== data.length) throw new PickleError("the arrays of its matrix do not fit together");
  for (let row = 0; row < numRows; row++)
    if (!(Number.isInteger(indptr[row + 1]) && indptr[row + 1]! >= indptr[row]!))
      throw new PickleError(`row ${row} of its matrix ends early`);
  for (let i = 0; i < indices.length; i++) {
    if (!(Number.isInteger(indices[i]) && indices[i]! >= 0 && indices[i]! < dim))
      throw new PickleError("a column of its matrix is beyond its shape");
    if (!Number.isFinite(Math.fround(data[i]!))) throw new PickleError("a value of its matrix is no finite number");
  }
  return { numRows, dim, indptr, indices, data };
}

/** The class of each row of 0 and 1, −1 for a row of zeros. */
export function oneHotOf(value: PickleValue): number[] {
  const { shape, values } = arrayOf(value);
  const [numRows = 0, numClasses = 0] = shape;
  if (shape.length !== 2) throw new PickleError(`its labels have the shape (${shape.join(", ")}), which is no matrix`);
  return Array.from({ length: numRows }, (_, row) => {
    let found = -1;
    for (let i = 0; i < numClasses; i++) {
      if (values[row * numClasses + i] === 0) continue;
      if (found >= 0) throw new PickleError(`row ${row} of its labels has several classes`);
      found = i;
    }
    return found;
  });
}
