import { readFile, stat, writeFile } from "node:fs/promises";
import { unzipSync, zipSync } from "fflate";
import { GnnError } from "../errors/gnn-error.ts";
import { int64At, int64Words } from "./int64.ts";
import { checkRows, checkUnpacked, defaultReadingLimits, type ReadingLimits } from "./limits/reading-limits.ts";
import { formatNpyHeader, parseForeignNpyHeader } from "./npy-header.ts";
import { numbersOf } from "./npy-numbers.ts";

/** A sparse matrix in compressed rows. */
export interface CsrMatrix {
  readonly numRows: number;
  readonly dim: number;
  /** int64 [numRows + 1] */
  readonly indptr: BigInt64Array;
  /** int32 [numEntries] columns, in the order of the file */
  readonly indices: Int32Array;
  /** float32 [numEntries] */
  readonly data: Float32Array;
}

/** Node reads no larger file at once. */
const maxFileBytes = 2 ** 31 - 1;
/** scipy writes five; a zip may claim to have billions, and be walked for hours. */
const maxMembers = 64;
const alwaysCounted = 10_000_000;
const rowsPerByte = 100;
const members = ["format.npy", "shape.npy", "indptr.npy", "indices.npy", "row.npy", "col.npy", "data.npy"];

/**
 * Reads a matrix as `scipy.sparse.save_npz` writes it: CSR, CSC or COO. The file is held in memory while it is read.
 *
 * @param name what the user calls the file
 * @throws GnnError DATASET_FORMAT_INVALID when it is not a zip, of another format, or its arrays do not fit together;
 *   DATASET_LIMIT_EXCEEDED when it unpacks to more than allowed, DATASET_TOO_LARGE for a file of 2 GiB or more;
 *   DATASET_VALUE_INVALID naming row and column (from 1) of a value that is not finite
 */
export async function readNpzCsr(
  path: string,
  name: string,
  limits: ReadingLimits = defaultReadingLimits,
): Promise<CsrMatrix> {
  const invalid = (found: string) => {
    const message = `${name}: ${found}; expected a CSR, CSC or COO matrix as scipy.sparse.save_npz writes it.`;
    return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name } });
  };
  const { size } = await stat(path);
  if (size > maxFileBytes) throw tooLarge(name, size);
  const check = (unpacked: number) => checkUnpacked(name, size, unpacked, limits);
  const unzipped = unzip(await readFile(path), invalid, check);
  const member = (which: string): Uint8Array => {
    const bytes = unzipped[which];
    if (!bytes) throw invalid(`it has no member ${which}${hintOn(Object.keys(unzipped))}`);
    return bytes;
  };
  const format = member("format.npy");
  const kind = Buffer.from(format.subarray(parseForeignNpyHeader(format, name).dataOffset))
    .toString()
    .replaceAll("\0", "");
  if (kind !== "csr" && kind !== "csc" && kind !== "coo")
    throw invalid(`its format is "${kind.slice(0, 10)}"; save matrix.tocsr()`);
  const { 0: numRows = -1, 1: dim = -1 } = numbersOf(member("shape.npy"), name);
  checkRows(name, numRows, limits);
  // The offsets of rows are counted before an entry is looked at.
  if (kind !== "csr" && numRows > alwaysCounted + rowsPerByte * size)
    throw invalid(`its shape is (${numRows}, ${dim})`);
  const data = Float32Array.from(numbersOf(member("data.npy"), name));
  if (kind !== "csr") {
    const read = (which: string) => numbersOf(member(`${which}.npy`), name);
    const entries =
      kind === "coo"
        ? { row: read("row"), col: read("col"), data }
        : { row: read("indices"), col: placesOfOffsets(read("indptr"), dim, data.length, invalid), data };
    return csrOfEntries({ numRows, dim, ...entries }, name, invalid);
  }
  const offsets = numbersOf(member("indptr.npy"), name);
  const columns = numbersOf(member("indices.npy"), name);
  checkCsr(numRows, dim, offsets, columns, data, invalid);
  checkFinite(offsets, columns, data, name);
  return { numRows, dim, indptr: toInt64(offsets), indices: Int32Array.from(columns), data };
}

/** The column that each entry of a CSC matrix lies in */
function placesOfOffsets(
  offsets: Numbers,
  count: number,
  numEntries: number,
  invalid: (found: string) => GnnError,
): Int32Array {
  const fits = offsets.length === count + 1 && offsets[0] === 0 && offsets[count] === numEntries;
  if (!fits) throw invalid(`${offsets.length} offsets of ${numEntries} entries for ${count} columns`);
  const rows = new Int32Array(numEntries);
  for (let i = 0; i < count; i++) {
    if (offsets[i + 1]! < offsets[i]!) throw invalid(`column ${i} ends early`);
    rows.fill(i, offsets[i], offsets[i + 1]);
  }
  return rows;
}

interface Entries {
  readonly numRows: number;
  readonly dim: number;
  readonly row: Numbers;
  readonly col: Numbers;
  readonly data: Float32Array;
}

/** Entries in any order, sorted by row; those of a row keep their order, and what stands twice stays so. */
function csrOfEntries(
  { numRows, dim, row, col, data }: Entries,
  file: string,
  invalid: (found: string) => GnnError,
): CsrMatrix {
  if (!(numRows >= 0 && dim >= 0 && dim < 2 ** 31)) throw invalid(`its shape is (${numRows}, ${dim})`);
  if (row.length !== data.length || col.length !== data.length)
    throw invalid(`${row.length} rows and ${col.length} columns for ${data.length} values`);
  const offsets = new Float64Array(numRows + 1);
  for (let i = 0; i < row.length; i++) {
    if (!(row[i]! >= 0 && row[i]! < numRows)) throw invalid(`entry ${i} lies in row ${row[i]} of ${numRows}`);
    offsets[row[i]! + 1]!++;
  }
  for (let i = 0; i < numRows; i++) offsets[i + 1]! += offsets[i]!;
  const next = offsets.slice();
  const indices = new Int32Array(col.length);
  const values = new Float32Array(col.length);
  for (let i = 0; i < row.length; i++) {
    const at = next[row[i]!]!++;
    indices[at] = col[i]!;
    values[at] = data[i]!;
  }
  checkCsr(numRows, dim, offsets, indices, values, invalid);
  checkFinite(offsets, indices, values, file);
  return { numRows, dim, indptr: toInt64(offsets), indices, data: values };
}

/** An archive of plain arrays, as numpy.savez makes it, is no matrix. */
function hintOn(found: readonly string[]): string {
  if (found.some((name) => members.includes(name))) return "";
  return "; of an archive made by numpy.savez, save the one matrix with numpy.save as .npy";
}

/** @param check what the members found so far unpack to; it throws when that is too much */
function unzip(
  bytes: Uint8Array,
  invalid: (found: string) => GnnError,
  check: (unpacked: number) => void,
): Record<string, Uint8Array> {
  let seen = 0;
  let unpacked = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, size, originalSize }) => {
        if (++seen > maxMembers) throw invalid(`it has more than ${maxMembers} members`);
        // Deflate packs at most 1032 to 1: a larger size is a lie, and would be allocated.
        if (originalSize > size * 1032 + 1024) throw new RangeError("declared size");
        if (!members.includes(name)) return false;
        unpacked += originalSize;
        check(unpacked);
        return true;
      },
    });
  } catch (error) {
    throw error instanceof GnnError ? error : invalid("it is not a whole .npz (zip) file");
  }
}

function tooLarge(file: string, size: number): GnnError {
  const message = `${file} has ${size} bytes; an .npz file is read whole, up to ${maxFileBytes}. Give the features as .npy or as columns.`;
  return new GnnError("DATASET_TOO_LARGE", message, { place: { file } });
}

type Numbers = ArrayLike<number>;

function checkCsr(
  numRows: number,
  dim: number,
  offsets: Numbers,
  columns: Numbers,
  data: Float32Array,
  invalid: (found: string) => GnnError,
): void {
  if (!(numRows >= 0 && dim >= 0 && dim < 2 ** 31)) throw invalid(`its shape is (${numRows}, ${dim})`);
  if (offsets.length !== numRows + 1) throw invalid(`${offsets.length} row offsets for ${numRows} rows`);
  if (offsets[0] !== 0 || offsets[numRows] !== columns.length || columns.length !== data.length) {
    throw invalid(`${columns.length} columns and ${data.length} values for ${offsets[numRows]} entries`);
  }
  for (let row = 0; row < numRows; row++) if (offsets[row + 1]! < offsets[row]!) throw invalid(`row ${row} ends early`);
  for (let i = 0; i < columns.length; i++) {
    if (!(columns[i]! >= 0 && columns[i]! < dim)) throw invalid(`entry ${i} lies in column ${columns[i]} of ${dim}`);
  }
}

function checkFinite(offsets: Numbers, columns: Numbers, data: Float32Array, file: string): void {
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  let row = 0;
  while (offsets[row + 1]! <= bad) row++;
  const line = row + 1;
  const column = columns[bad]! + 1;
  const message = `${file}: row ${line}, column ${column} is not a finite number that fits float32.`;
  throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line, field: `column ${column}` } });
}

function toInt64(offsets: Numbers): BigInt64Array {
  const made = new BigInt64Array(offsets.length);
  const words = int64Words(made);
  for (let i = 0; i < offsets.length; i++) {
    words[i * 2] = offsets[i]! | 0;
    words[i * 2 + 1] = Math.floor(offsets[i]! / 2 ** 32);
  }
  return made;
}

/** Writes a matrix as `scipy.sparse.save_npz` does; scipy reads it back. */
export async function writeNpzCsr(path: string, csr: CsrMatrix): Promise<void> {
  const shape = toInt64([csr.numRows, csr.dim]);
  const numEntries = int64At(int64Words(csr.indptr), csr.numRows);
  await writeFile(
    path,
    zipSync({
      "format.npy": formatMember(),
      "shape.npy": npyBytes(formatNpyHeader("int64", [2]), shape),
      "indptr.npy": npyBytes(formatNpyHeader("int64", [csr.numRows + 1]), csr.indptr),
      "indices.npy": npyBytes(formatNpyHeader("int32", [numEntries]), csr.indices),
      "data.npy": npyBytes(formatNpyHeader("float32", [numEntries]), csr.data),
    }),
  );
}

function npyBytes(header: Uint8Array, values: ArrayBufferView): Uint8Array {
  return Buffer.concat([header, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]);
}

/** The text `csr` as a numpy array of no dimensions and type `|S3`. */
function formatMember(): Uint8Array {
  const header = Buffer.from(formatNpyHeader("uint8", []));
  const dict = header.toString("latin1", 10).replace("'|u1'", "'|S3'");
  return Buffer.concat([header.subarray(0, 10), Buffer.from(dict, "latin1"), Buffer.from("csr")]);
}
