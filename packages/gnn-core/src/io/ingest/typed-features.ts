import type { CsrMatrix } from "../npz.ts";
import { CsrWriter } from "./csr-writer.ts";
import type { FeatureRowSink } from "./feature-matrix.ts";
import { oneHotFact, type TypeColumns, type WrittenFeatures } from "./feature-sink.ts";
import type { OneHotColumn } from "./one-hot.ts";
import { type SparseLayout, SparseRowSink } from "./sparse-feature-sink.ts";

/**
 * Features of nodes of several types as one CSR matrix, in which each type has columns of its own: types may have other
 * columns, as many as they like, sparse or dense ones, or none. A weight of all columns is then one of each type.
 *
 *   paper [1 2], author [7]  →  columns 0 1 | 2:  (1 2 ·) (· · 7)
 *
 * Rows are taken in the order of NodeIndex, type after type.
 */
export class TypedFeatures {
  readonly #writer: CsrWriter;
  readonly #types: TypeColumns[] = [];
  readonly #oneHot: OneHotColumn[] = [];
  #dim = 0;

  constructor(outDir: string, onFailure: (() => Promise<void>)[]) {
    this.#writer = new CsrWriter({ outDir, onFailure });
  }

  /** What takes the rows of a type's dense columns; every value is kept, zeros too. */
  async openDense(type: string, dim: number, oneHot: readonly OneHotColumn[] = []): Promise<FeatureRowSink> {
    const first = this.#add(type, dim, oneHot);
    await this.#writer.open();
    return {
      append: (rows) =>
        this.#writer.append({
          lengths: new Int32Array(rows.length / dim).fill(dim),
          indices: Int32Array.from(rows, (_, i) => first + (i % dim)),
          data: rows,
        }),
    };
  }

  /** What takes the rows of a type with lists of indices; `close` is to be called behind the last of them. */
  async openSparse(type: string, layout: Omit<SparseLayout, "first">, oneHot: readonly OneHotColumn[]) {
    await this.#writer.open();
    const sink = new SparseRowSink(this.#writer, { ...layout, first: this.#dim });
    return { sink, close: () => this.#add(type, sink.finish(), oneHot) };
  }

  async addCsr(type: string, matrix: CsrMatrix): Promise<void> {
    const first = this.#add(type, matrix.dim);
    await this.#writer.append({
      lengths: Int32Array.from({ length: matrix.numRows }, (_, row) =>
        Number(matrix.indptr[row + 1]! - matrix.indptr[row]!),
      ),
      indices: matrix.indices.map((column) => first + column),
      data: matrix.data,
    });
  }

  /** Nodes of a type without features */
  addNone(type: string, numRows: number): void {
    this.#add(type, 0);
    this.#writer.addEmpty(numRows);
  }

  async finish(): Promise<WrittenFeatures> {
    const written = await this.#writer.finish();
    if (written === null) return { info: { kind: "none", dim: 0 }, blobs: [] };
    const { facts, blobs } = written;
    return {
      info: { kind: "csr", dim: this.#dim, ...facts, types: this.#types, ...oneHotFact(this.#oneHot) },
      blobs,
    };
  }

  #add(name: string, dim: number, oneHot: readonly OneHotColumn[] = []): number {
    const first = this.#dim;
    this.#types.push({ name, first, dim });
    this.#oneHot.push(...oneHot.map(({ name: column, values }) => ({ name: `${name}.${column}`, values })));
    this.#dim += dim;
    return first;
  }
}
