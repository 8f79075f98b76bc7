import { open } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import { int64At, int64Words, setInt64 } from "../int64.ts";
import { checkColumns } from "../limits/reading-limits.ts";
import { NpyWriter, type WrittenArray, writeNpy } from "../npy.ts";
import { npyLength, parseForeignNpyHeader } from "../npy-header.ts";
import { numberType } from "../npy-numbers.ts";
import { readNpzCsr } from "../npz.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { type FeatureValueKind, FeatureValues } from "./feature-values.ts";
import type { IngestContext } from "./ingest-context.ts";

export interface FeatureInfo {
  readonly kind: "none" | "dense" | "csr";
  readonly dim: number;
  /** Stored values of all CSR rows. */
  readonly numValues?: number;
  /** These two are left out without features. */
  readonly values?: FeatureValueKind;
  readonly numNonZero?: number;
}

export interface WrittenFeatures {
  readonly info: FeatureInfo;
  readonly blobs: WrittenArray[];
}

const path = "nodes/features.npy";
const batchBytes = 8 << 20;

/** Feature columns of the nodes file, written row by row as they are read. */
export class DenseFeatureSink {
  readonly dim: number;
  readonly #writer: NpyWriter<"float32">;
  readonly #values = new FeatureValues();
  #numRows = 0;

  private constructor(writer: NpyWriter<"float32">, dim: number) {
    this.#writer = writer;
    this.dim = dim;
  }

  static async open(outDir: string, dim: number): Promise<DenseFeatureSink> {
    return new DenseFeatureSink(await NpyWriter.open(join(outDir, path), "float32", [dim]), dim);
  }

  /** Closes the file; it is not to be used. */
  async abandon(): Promise<void> {
    await this.#writer.abandon();
  }

  async append(rows: Float32Array): Promise<void> {
    this.#numRows += rows.length / this.dim;
    this.#values.add(rows);
    await this.#writer.append(rows);
  }

  /** Nodes that are only in the edges get rows of zeros. */
  async finish(numNodes: number): Promise<WrittenFeatures> {
    const batch = new Float32Array(Math.max(1, Math.floor(batchBytes / 4 / this.dim)) * this.dim);
    while (this.#numRows < numNodes) {
      const rows = Math.min(batch.length / this.dim, numNodes - this.#numRows);
      await this.append(batch.subarray(0, rows * this.dim));
    }
    const shape = await this.#writer.close();
    const info = { kind: "dense", dim: this.dim, ...this.#values.facts } as const;
    return { info, blobs: [{ name: path, dtype: "float32", shape }] };
  }
}

/**
 * Copies a matrix with one row per node row into the graph: `.npy` as float32 rows, `.npz` as CSR, never made dense.
 *
 * @param numRows rows of the nodes file; nodes beyond them get empty rows
 * @throws GnnError DATASET_FORMAT_INVALID, SHAPE_MISMATCH when the rows do not fit the nodes file
 */
export async function writeFeatureMatrix(
  context: IngestContext,
  file: UploadedFile,
  numRows: number,
  numNodes: number,
): Promise<WrittenFeatures> {
  const isZip = await startsAsZip(file.path);
  return isZip ? copyCsr(context, file, numRows, numNodes) : copyDense(context, file, numRows, numNodes);
}

async function startsAsZip(matrix: string): Promise<boolean> {
  const file = await open(matrix, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "PK";
  } finally {
    await file.close();
  }
}

async function copyCsr(
  { outDir, limits }: IngestContext,
  file: UploadedFile,
  numRows: number,
  numNodes: number,
): Promise<WrittenFeatures> {
  const csr = await readNpzCsr(file.path, file.name, limits);
  checkRows(file.name, csr.numRows, numRows);
  const indptr = new BigInt64Array(numNodes + 1);
  indptr.set(csr.indptr);
  const words = int64Words(indptr);
  const end = int64At(words, csr.numRows);
  for (let row = csr.numRows + 1; row <= numNodes; row++) setInt64(words, row, end);
  const values = new FeatureValues();
  values.add(csr.data);
  const folder = "nodes/features";
  await writeNpy(join(outDir, folder, "indptr.npy"), "int64", [indptr.length], indptr);
  await writeNpy(join(outDir, folder, "indices.npy"), "int32", [csr.indices.length], csr.indices);
  await writeNpy(join(outDir, folder, "data.npy"), "float32", [csr.data.length], csr.data);
  return {
    info: { kind: "csr", dim: csr.dim, numValues: csr.data.length, ...values.facts },
    blobs: [
      { name: `${folder}/data.npy`, dtype: "float32", shape: [csr.data.length] },
      { name: `${folder}/indices.npy`, dtype: "int32", shape: [csr.indices.length] },
      { name: `${folder}/indptr.npy`, dtype: "int64", shape: [indptr.length] },
    ],
  };
}

async function copyDense(
  { outDir, progress, limits, deadline, onFailure }: IngestContext,
  { name, path: from }: UploadedFile,
  numRows: number,
  numNodes: number,
): Promise<WrittenFeatures> {
  const file = await open(from, "r");
  try {
    const head = (await file.read(Buffer.alloc(65_536), 0, 65_536, 0)).buffer;
    const { descr, shape, dataOffset } = parseForeignNpyHeader(head, name);
    const [rows = 0, dim = 0] = shape;
    if (shape.length !== 2 || dim === 0) throw notMatrix(name, shape);
    checkColumns(name, dim, limits);
    checkRows(name, rows, numRows);
    const type = numberType(descr, name);
    await checkSize(file, name, dataOffset + npyLength(shape) * type.bytes);
    const sink = await DenseFeatureSink.open(outDir, dim);
    onFailure.push(() => sink.abandon());
    const batchRows = Math.max(1, Math.floor(batchBytes / type.bytes / dim));
    for (let row = 0; row < rows; row += batchRows) {
      const count = Math.min(batchRows, rows - row);
      const bytes = new Uint8Array(count * dim * type.bytes);
      await file.read(bytes, 0, bytes.length, dataOffset + row * dim * type.bytes);
      const values = Float32Array.from(type.read(bytes.buffer));
      const bad = values.findIndex((value) => !Number.isFinite(value));
      if (bad >= 0) throw notFinite(name, row + Math.floor(bad / dim), bad % dim);
      await sink.append(values);
      deadline.check(name);
      progress.report("read features", row + count, rows, "rows");
    }
    return await sink.finish(numNodes);
  } finally {
    await file.close();
  }
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
