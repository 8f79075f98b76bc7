import { join } from "node:path";
import { int64Words, setInt64 } from "../int64.ts";
import { NpyWriter, type WrittenArray, writeNpy } from "../npy.ts";
import { FeatureValues } from "./feature-values.ts";
import { GrowableInt32 } from "./growable.ts";

const folder = "nodes/features";

interface Writers {
  readonly indices: NpyWriter<"int32">;
  readonly data: NpyWriter<"float32">;
}

/** Rows of a sparse matrix as they come */
export interface SparseRows {
  /** Entries of each row */
  readonly lengths: ArrayLike<number>;
  readonly indices: Int32Array;
  readonly data: Float32Array;
}

/** Writes the features of nodes as a CSR matrix, row after row; in memory are only the lengths of rows. */
export class CsrWriter {
  readonly #outDir: string;
  readonly #onFailure: (() => Promise<void>)[];
  readonly #lengths = new GrowableInt32();
  readonly #values = new FeatureValues();
  #writers: Writers | null = null;

  constructor({ outDir, onFailure }: { readonly outDir: string; readonly onFailure: (() => Promise<void>)[] }) {
    this.#outDir = outDir;
    this.#onFailure = onFailure;
  }

  async append({ lengths, indices, data }: SparseRows): Promise<void> {
    const writers = await this.open();
    for (let row = 0; row < lengths.length; row++) this.#lengths.push(lengths[row]!);
    this.#values.add(data);
    await writers.indices.append(indices);
    await writers.data.append(data);
  }

  addEmpty(numRows: number): void {
    for (let row = 0; row < numRows; row++) this.#lengths.push(0);
  }

  get numRows(): number {
    return this.#lengths.length;
  }

  /** Opens the files, as the first rows do; without them no matrix is written. */
  async open(): Promise<Writers> {
    if (this.#writers) return this.#writers;
    const at = (name: string) => join(this.#outDir, folder, name);
    const indices = await NpyWriter.open(at("indices.npy"), "int32", []);
    this.#onFailure.push(() => indices.abandon());
    const data = await NpyWriter.open(at("data.npy"), "float32", []);
    this.#onFailure.push(() => data.abandon());
    this.#writers = { indices, data };
    return this.#writers;
  }

  /** @returns null: there were no rows but empty ones */
  async finish() {
    if (this.#writers === null) return null;
    const lengths = this.#lengths.values;
    const indptr = new BigInt64Array(lengths.length + 1);
    const words = int64Words(indptr);
    let end = 0;
    for (const [row, length] of lengths.entries()) {
      end += length;
      setInt64(words, row + 1, end);
    }
    await writeNpy(join(this.#outDir, folder, "indptr.npy"), "int64", [indptr.length], indptr);
    const { indices, data } = this.#writers;
    const blobs: WrittenArray[] = [
      { name: `${folder}/data.npy`, dtype: "float32", shape: await data.close() },
      { name: `${folder}/indices.npy`, dtype: "int32", shape: await indices.close() },
      { name: `${folder}/indptr.npy`, dtype: "int64", shape: [indptr.length] },
    ];
    return { facts: { numValues: end, ...this.#values.facts }, blobs };
  }
}
