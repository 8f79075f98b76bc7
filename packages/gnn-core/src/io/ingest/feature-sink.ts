import { join } from "node:path";
import { int64At, int64Words, setInt64 } from "../int64.ts";
import { NpyWriter, type WrittenArray, writeNpy } from "../npy.ts";
import type { CsrMatrix } from "../npz.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { isCsr, readCsrMatrix, readDenseMatrix } from "./feature-matrix.ts";
import { type FeatureValueKind, FeatureValues } from "./feature-values.ts";
import type { IngestContext } from "./ingest-context.ts";
import type { OneHotColumn } from "./one-hot.ts";

export interface FeatureInfo {
  readonly kind: "none" | "dense" | "csr";
  readonly dim: number;
  /** Stored values of all CSR rows. */
  readonly numValues?: number;
  /** These two are left out without features. */
  readonly values?: FeatureValueKind;
  readonly numNonZero?: number;
  /** Where each type of node has columns of its own */
  readonly types?: TypeColumns[];
  /** Columns whose values became columns of 0 and 1; these stand before the numbers, in this order */
  readonly oneHot?: { name: string; values: string[] }[];
}

/** What `info` says of one-hot columns; nothing where there are none */
export function oneHotFact(oneHot: readonly OneHotColumn[]): Pick<FeatureInfo, "oneHot"> {
  return oneHot.length === 0 ? {} : { oneHot: oneHot.map(({ name, values }) => ({ name, values: [...values] })) };
}

/** Columns of a graph's features that hold those of one type of node; `dim` 0: the type has none. */
export interface TypeColumns {
  readonly name: string;
  readonly first: number;
  readonly dim: number;
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

  readonly #oneHot: readonly OneHotColumn[];

  private constructor(writer: NpyWriter<"float32">, dim: number, oneHot: readonly OneHotColumn[]) {
    this.#writer = writer;
    this.dim = dim;
    this.#oneHot = oneHot;
  }

  /** @param oneHot columns that the first ones are made of */
  static async open(outDir: string, dim: number, oneHot: readonly OneHotColumn[] = []): Promise<DenseFeatureSink> {
    return new DenseFeatureSink(await NpyWriter.open(join(outDir, path), "float32", [dim]), dim, oneHot);
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
    const most = Math.max(1, Math.floor(batchBytes / 4 / this.dim));
    const batch = new Float32Array(Math.min(most, Math.max(0, numNodes - this.#numRows)) * this.dim);
    while (this.#numRows < numNodes) {
      const rows = Math.min(batch.length / this.dim, numNodes - this.#numRows);
      await this.append(batch.subarray(0, rows * this.dim));
    }
    const shape = await this.#writer.close();
    const info = { kind: "dense", dim: this.dim, ...this.#values.facts, ...oneHotFact(this.#oneHot) } as const;
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
  if (await isCsr(file)) {
    return writeCsr(context.outDir, await readCsrMatrix(context, file, numRows), numNodes);
  }
  const sink = await readDenseMatrix(context, file, numRows, async (dim) => {
    const opened = await DenseFeatureSink.open(context.outDir, dim);
    context.onFailure.push(() => opened.abandon());
    return opened;
  });
  return sink.finish(numNodes);
}

async function writeCsr(outDir: string, csr: CsrMatrix, numNodes: number): Promise<WrittenFeatures> {
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
