import { GnnError } from "../../errors/gnn-error.ts";
import type { NodesSection } from "../dataset-spec.ts";
import { CsrWriter, type SparseRows } from "./csr-writer.ts";
import type { FeatureRowSink } from "./feature-matrix.ts";
import { oneHotFact, type WrittenFeatures } from "./feature-sink.ts";
import { type IndexLists, multiHotName } from "./index-lists.ts";
import type { IngestContext } from "./ingest-context.ts";
import type { OneHotColumn } from "./one-hot.ts";

/** Where the columns of a table of nodes stand whose features are numbers with lists of indices behind them */
export interface SparseLayout {
  /** What the lists stand in, for errors */
  readonly file: string;
  readonly field: string;
  /** Column of the matrix that is the first */
  readonly first: number;
  /** How many numbers each row has before its list */
  readonly dim: number;
  /** How many features the lists name; null: as many as the largest index says */
  readonly width: number | null;
}

/** @param dim numbers of each row; null where no column has lists of indices */
export function sparseLayoutOf(section: NodesSection, dim: number): Omit<SparseLayout, "first"> | null {
  const { files, features } = section;
  const field = multiHotName(section);
  if (field === null || !features || !("columns" in features)) return null;
  const width = Object.hasOwn(features.widths, field) ? (features.widths[field] as number) : null;
  return { file: files[0] as string, field, dim, width };
}

/** Features of which lists of indices say where they are 1: sparse rows, whose width is known behind the last. */
export class SparseRowSink implements FeatureRowSink {
  readonly #writer: CsrWriter;
  readonly #layout: SparseLayout;
  #largest = -1;

  constructor(writer: CsrWriter, layout: SparseLayout) {
    this.#writer = writer;
    this.#layout = layout;
  }

  async append(rows: Float32Array, lists: IndexLists | null): Promise<void> {
    if (lists === null) throw new Error("Rows with lists of indices came without them.");
    for (const index of lists.indices) this.#largest = Math.max(this.#largest, index);
    await this.#writer.append(sparseRows(rows, lists, this.#layout));
  }

  /** Columns of all rows. @throws GnnError DATASET_VALUE_INVALID when no list has an index */
  finish(): number {
    const { file, field, dim, width } = this.#layout;
    if (width === null && this.#largest < 0) {
      const message = `${file}, column "${field}": no row lists an index of a feature. Leave the column out.`;
      throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file, field } });
    }
    return dim + (width ?? this.#largest + 1);
  }
}

/** Zeros of the numbers are left out. */
function sparseRows(rows: Float32Array, lists: IndexLists, { first, dim }: SparseLayout): SparseRows {
  const numNonZero = rows.reduce((count, value) => count + (value === 0 ? 0 : 1), 0);
  const lengths = Int32Array.from(lists.lengths);
  const indices = new Int32Array(numNonZero + lists.indices.length);
  const data = new Float32Array(indices.length).fill(1);
  let [at, listed] = [0, 0];
  for (let row = 0; row < lengths.length; row++) {
    for (let column = 0; column < dim; column++) {
      const value = rows[row * dim + column]!;
      if (value === 0) continue;
      indices[at] = first + column;
      data[at++] = value;
      lengths[row]!++;
    }
    for (let i = 0; i < lists.lengths[row]!; i++) indices[at++] = first + dim + lists.indices[listed++]!;
  }
  return { lengths, indices, data };
}

/** Those of the one table of nodes */
export class SparseFeatureSink implements FeatureRowSink {
  readonly #writer: CsrWriter;
  readonly #rows: SparseRowSink;
  readonly #oneHot: readonly OneHotColumn[];

  constructor(context: IngestContext, layout: Omit<SparseLayout, "first">, oneHot: readonly OneHotColumn[]) {
    this.#writer = new CsrWriter(context);
    this.#rows = new SparseRowSink(this.#writer, { ...layout, first: 0 });
    this.#oneHot = oneHot;
  }

  async append(rows: Float32Array, lists: IndexLists | null): Promise<void> {
    await this.#rows.append(rows, lists);
  }

  /** Nodes that are only in the edges get rows of zeros. */
  async finish(numNodes: number): Promise<WrittenFeatures> {
    const dim = this.#rows.finish();
    this.#writer.addEmpty(numNodes - this.#writer.numRows);
    await this.#writer.open();
    const { facts, blobs } = (await this.#writer.finish())!;
    return { info: { kind: "csr", dim, ...facts, ...oneHotFact(this.#oneHot) }, blobs };
  }
}
