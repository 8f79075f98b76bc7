import { type FileHandle, open } from "node:fs/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkColumns } from "../limits/reading-limits.ts";
import { npyLength, parseForeignNpyHeader } from "../npy-header.ts";
import { numberType } from "../npy-numbers.ts";
import { type CsrMatrix, readNpzCsr } from "../npz.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { IndexLists } from "./index-lists.ts";
import type { IngestContext } from "./ingest-context.ts";

const batchBytes = 8 << 20;

/** Takes feature rows, [rows, columns], as they are read, and the lists of indices where a column has such. */
export interface FeatureRowSink {
  append(rows: Float32Array, lists: IndexLists | null): Promise<void>;
}

/** Whether the matrix is a zip of CSR arrays, and no dense one. */
export async function isCsr({ path: matrix }: UploadedFile): Promise<boolean> {
  const file = await open(matrix, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "PK";
  } finally {
    await file.close();
  }
}

/** @throws GnnError DATASET_FORMAT_INVALID when it is none, or its rows are not those of the nodes files */
export async function readCsrMatrix(
  { limits }: IngestContext,
  file: UploadedFile,
  numRows: number,
): Promise<CsrMatrix> {
  const csr = await readNpzCsr(file.path, file.name, limits);
  checkRows(file.name, csr.numRows, numRows);
  return csr;
}

/**
 * Reads a `.npy` of one row per row of the nodes files, batch by batch.
 *
 * @param openSink makes what takes the rows, of `dim` columns
 * @returns what it made
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_VALUE_INVALID naming row and column of what is not finite
 */
export async function readDenseMatrix<S extends FeatureRowSink>(
  { progress, limits, deadline }: IngestContext,
  { name, path: from }: UploadedFile,
  numRows: number,
  openSink: (dim: number) => Promise<S>,
): Promise<S> {
  const file = await open(from, "r");
  try {
    const head = (await file.read(Buffer.alloc(65_536), 0, 65_536, 0)).buffer;
    const { descr, shape, isFortran, dataOffset } = parseForeignNpyHeader(head, name);
    const [rows = 0, dim = 0] = shape;
    if (shape.length !== 2 || dim === 0) throw notMatrix(name, shape);
    checkColumns(name, dim, limits);
    checkRows(name, rows, numRows);
    const type = numberType(descr, name);
    await checkSize(file, name, dataOffset + npyLength(shape) * type.bytes);
    const sink = await openSink(dim);
    const batchRows = Math.max(1, Math.floor(batchBytes / type.bytes / dim));
    for (let row = 0; row < rows; row += batchRows) {
      const count = Math.min(batchRows, rows - row);
      const values = isFortran
        ? await rowsOfColumns(file, { type, dataOffset, rows, dim }, row, count)
        : Float32Array.from(
            type.read(await bytesAt(file, dataOffset + row * dim * type.bytes, count * dim * type.bytes)),
          );
      const bad = values.findIndex((value) => !Number.isFinite(value));
      if (bad >= 0) throw notFinite(name, row + Math.floor(bad / dim), bad % dim);
      await sink.append(values, null);
      deadline.check(name);
      progress.report("read features", row + count, rows, "rows");
    }
    return sink;
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  await file.read(bytes, 0, length, at);
  return bytes.buffer;
}

interface ColumnsInFile {
  readonly type: ReturnType<typeof numberType>;
  readonly dataOffset: number;
  readonly rows: number;
  readonly dim: number;
}

/** Rows [first, first + count) of a matrix that lies in the file column by column. */
async function rowsOfColumns(
  file: FileHandle,
  { type, dataOffset, rows, dim }: ColumnsInFile,
  first: number,
  count: number,
): Promise<Float32Array> {
  const values = new Float32Array(count * dim);
  for (let column = 0; column < dim; column++) {
    const at = dataOffset + (column * rows + first) * type.bytes;
    const found = type.read(await bytesAt(file, at, count * type.bytes));
    for (let i = 0; i < count; i++) values[i * dim + column] = found[i]!;
  }
  return values;
}

async function checkSize(file: { stat(): Promise<{ size: number }> }, name: string, expected: number): Promise<void> {
  const { size } = await file.stat();
  if (size >= expected) return;
  const message = `${name} has ${size} bytes; its header promises ${expected}. Upload it again.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name } });
}

function checkRows(file: string, found: number, expected: number): void {
  if (found === expected) return;
  const message = `${file} has ${found} rows and the nodes files have ${expected}; there must be one row per node row, in the same order.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function notMatrix(file: string, shape: readonly number[]): GnnError {
  const message = `${file} has shape (${shape.join(", ")}); expected a matrix with one row per node.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function notFinite(file: string, row: number, column: number): GnnError {
  const message = `${file}: row ${row + 1}, column ${column + 1} is not a finite number.`;
  return new GnnError("DATASET_VALUE_INVALID", message, {
    place: { file, line: row + 1, field: `column ${column + 1}` },
  });
}
