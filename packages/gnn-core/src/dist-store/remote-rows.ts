import { activeCuda } from "../backends/active-cuda.ts";
import { loadAddon } from "../backends/native/addon.ts";
import type { FeatureValues } from "../backends/native/graph-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { CsrFeatureStore, type CsrMatrix } from "../features/csr-feature-store.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { ColumnScale } from "../features/feature-dtype.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import { StoredRows } from "../features/stored-rows.ts";
import { type NodeRange, wholeLists } from "../graph/csc-graph.ts";
import { int64Words, setInt64 } from "../io/int64.ts";
import type { DistStore } from "./dist-store.ts";

/** Rows as they lie in memory: dense values, or a CSR matrix. */
export type StoredSegment = FeatureValues | CsrMatrix;

export interface RemoteRowsOptions {
  readonly store: DistStore;
  /** Name of the hosted rows, or of the lists of CSR rows */
  readonly name: string;
  readonly kind: "dense" | "csr";
  readonly numRows: number;
  readonly dim: number;
  /** This rank's rows and where they lie */
  readonly own: NodeRange;
  readonly segments: readonly StoredSegment[];
  /** What int8 codes mean */
  readonly columns?: ColumnScale | null;
  /** Nobody writes the rows: batches may go on reading them where they lie */
  readonly readOnly?: boolean;
}

/**
 * Rows of which this rank holds a range, others are read from their owners, each once in a call; a cache keeps the
 * rows that are asked for most. Values travel as they are stored and are decoded here; dense float32 rows that nobody
 * writes are not copied again but read where they lie: this rank's, the cached and those that came for the batch.
 */
export class RemoteRows implements FeatureStore {
  readonly kind: "dense" | "csr";
  readonly numRows: number;
  readonly dim: number;
  readonly mapped: readonly NodeJS.ArrayBufferView[];
  readonly #options: RemoteRowsOptions;
  #cache: { readonly slots: Int32Array; readonly numRows: number; readonly segment: StoredSegment } | null = null;

  constructor(options: RemoteRowsOptions) {
    this.#options = options;
    this.kind = options.kind;
    this.numRows = options.numRows;
    this.dim = options.dim;
    this.mapped = options.segments.flatMap((segment) =>
      "indptr" in segment ? [segment.indptr, segment.indices, segment.values] : [segment],
    );
  }

  /** int32 [numRows]: -1 for rows that are not cached; null: none is */
  get cachedSlots(): Int32Array | null {
    return this.#cache?.slots ?? null;
  }

  /** Reads rows of other ranks once and keeps them; they must not change. Replaces what was cached. */
  async cache(ids: Int32Array): Promise<void> {
    const slots = new Int32Array(this.numRows).fill(-1);
    for (const [slot, id] of ids.entries()) slots[id] = slot;
    this.#cache = ids.length === 0 ? null : { slots, numRows: ids.length, segment: await this.#fetch(ids) };
  }

  /** @throws GnnError SPEC_INVALID always: rows of other ranks cannot be had at once */
  gather(): FeatureRows {
    throw new GnnError("SPEC_INVALID", "These rows lie with several ranks and can only be read asynchronously.");
  }

  async gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    const { own, segments } = this.#options;
    const cache = this.#cache;
    const { rows, remote } = nativeSync(() =>
      loadAddon().placeRows(globalIds, own.first, own.count, cache?.slots ?? null, cache?.numRows ?? 0, this.numRows),
    );
    const held = cache ? [...segments, cache.segment] : segments;
    const fetched = remote.length > 0 ? [await this.#fetch(remote)] : [];
    if (this.kind === "dense") return this.#dense(held as FeatureValues[], fetched as FeatureValues[], rows);
    const all = [...held, ...fetched] as CsrMatrix[];
    return new CsrFeatureStore(this.dim, all, this.#options.columns ?? null).gatherAsync(rows);
  }

  /**
   * What was fetched lies outside the heap, whose collector would run again and again for it: it goes with the batch.
   */
  async #dense(
    held: readonly FeatureValues[],
    fetched: readonly FeatureValues[],
    rows: Int32Array,
  ): Promise<FeatureRows> {
    const { columns = null, readOnly = false } = this.#options;
    const all = new DenseFeatureStore(this.dim, [...held, ...fetched], columns);
    // A device would be sent all of this rank's rows with every batch.
    const staysStored = readOnly && !activeCuda();
    const found = staysStored ? await all.gatherAsync(rows) : await all.copyAsync(rows);
    const [own] = fetched;
    if (!own) return found;
    if (found instanceof StoredRows) return found.owning(own);
    loadAddon().freeArray(own);
    return found;
  }

  async #fetch(ids: Int32Array): Promise<StoredSegment> {
    const { store, name } = this.#options;
    if (this.kind === "dense") return (await store.get(name, ids)) as FeatureValues;
    const { indptr, entries, values } = await store.draw(name, ids, wholeLists);
    return { indptr: toInt64(indptr), indices: entries, values: values as Float32Array };
  }
}

function toInt64(offsets: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(offsets.length);
  const words = int64Words(wide);
  for (let i = 0; i < offsets.length; i++) setInt64(words, i, offsets[i] as number);
  return wide;
}
