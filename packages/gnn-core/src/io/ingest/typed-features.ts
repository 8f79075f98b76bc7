import { join } from "node:path";
import { int64Words, setInt64 } from "../int64.ts";
import { NpyWriter, writeNpy } from "../npy.ts";
import type { CsrMatrix } from "../npz.ts";
import type { FeatureRowSink } from "./feature-matrix.ts";
import { oneHotFact, type TypeColumns, type WrittenFeatures } from "./feature-sink.ts";
import { FeatureValues } from "./feature-values.ts";
import { GrowableInt32 } from "./growable.ts";
import type { OneHotColumn } from "./one-hot.ts";

const folder = "nodes/features";

interface Writers {
  readonly indices: NpyWriter<"int32">;
  readonly data: NpyWriter<"float32">;
}

/**
 * Features of nodes of several types as one CSR matrix, in which each type has columns of its own: types may have other
 * columns, as many as they like, sparse or dense ones, or none. A weight of all columns is then one of each type.
 *
 *   paper [1 2], author [7]  →  columns 0 1 | 2:  (1 2 ·) (· · 7)
 *
 * Rows are taken in the order of NodeIndex, type after type.
 */
export class TypedFeatures {
  readonly #outDir: string;
  readonly #onFailure: (() => Promise<void>)[];
  readonly #types: TypeColumns[] = [];
  readonly #oneHot: OneHotColumn[] = [];
  readonly #lengths = new GrowableInt32();
  readonly #values = new FeatureValues();
  #writers: Writers | null = null;
  #dim = 0;

  constructor(outDir: string, onFailure: (() => Promise<void>)[]) {
    this.#outDir = outDir;
    this.#onFailure = onFailure;
  }

  /** What takes the rows of a type's dense columns; every value is kept, zeros too. */
  async openDense(type: string, dim: number, oneHot: readonly OneHotColumn[] = []): Promise<FeatureRowSink> {
    const { indices, data } = await this.#open();
    const first = this.#add(type, dim);
    this.#oneHot.push(...oneHot.map(({ name, values }) => ({ name: `${type}.${name}`, values })));
    return {
      append: async (rows) => {
        for (let row = 0; row < rows.length; row += dim) this.#lengths.push(dim);
        this.#values.add(rows);
        await indices.append(Int32Array.from(rows, (_, i) => first + (i % dim)));
        await data.append(rows);
      },
    };
  }

  async addCsr(type: string, matrix: CsrMatrix): Promise<void> {
    const { indices, data } = await this.#open();
    const first = this.#add(type, matrix.dim);
    for (let row = 0; row < matrix.numRows; row++) {
      this.#lengths.push(Number(matrix.indptr[row + 1]! - matrix.indptr[row]!));
    }
    this.#values.add(matrix.data);
    await indices.append(matrix.indices.map((column) => first + column));
    await data.append(matrix.data);
  }

  /** Nodes of a type without features */
  addNone(type: string, numRows: number): void {
    this.#add(type, 0);
    for (let row = 0; row < numRows; row++) this.#lengths.push(0);
  }

  async finish(): Promise<WrittenFeatures> {
    if (this.#writers === null) return { info: { kind: "none", dim: 0 }, blobs: [] };
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
    return {
      info: {
        kind: "csr",
        dim: this.#dim,
        numValues: end,
        ...this.#values.facts,
        types: this.#types,
        ...oneHotFact(this.#oneHot),
      },
      blobs: [
        { name: `${folder}/data.npy`, dtype: "float32", shape: await data.close() },
        { name: `${folder}/indices.npy`, dtype: "int32", shape: await indices.close() },
        { name: `${folder}/indptr.npy`, dtype: "int64", shape: [indptr.length] },
      ],
    };
  }

  #add(name: string, dim: number): number {
    const first = this.#dim;
    this.#types.push({ name, first, dim });
    this.#dim += dim;
    return first;
  }

  async #open(): Promise<Writers> {
    if (this.#writers) return this.#writers;
    const at = (name: string) => join(this.#outDir, folder, name);
    const indices = await NpyWriter.open(at("indices.npy"), "int32", []);
    this.#onFailure.push(() => indices.abandon());
    const data = await NpyWriter.open(at("data.npy"), "float32", []);
    this.#onFailure.push(() => data.abandon());
    this.#writers = { indices, data };
    return this.#writers;
  }
}
