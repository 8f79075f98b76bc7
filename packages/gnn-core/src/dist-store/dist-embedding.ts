import { GnnError } from "../errors/gnn-error.ts";
import { checkRowName } from "../partition/row-schema.ts";
import type { DistStore } from "./dist-store.ts";
import { fillRows, offsetsFor, rangeOf } from "./dist-tensor.ts";
import { type RowInitializer, uniformRows } from "./initializers.ts";
import type { RowCallOptions, RowSums } from "./row-service.ts";

export interface DistEmbeddingOptions {
  readonly name: string;
  readonly numRows: number;
  readonly dim: number;
  /** Left out: uniform in ±0.5/dim with seed 0, as word2vec begins */
  readonly init?: RowInitializer;
  /** [worldSize + 1] from 0: who owns which rows, as of a PartitionBook; left out: even ranges */
  readonly offsets?: readonly number[];
  /** int8 [numRows] by global id: rows with 1 keep their bits, whatever gradient is pushed for them. Left out: none */
  readonly frozen?: Int8Array | null;
}

/** Changes this rank's rows in place, given the summed gradients of a step: `ids` count from its first row. */
export type RowUpdate = (gradient: RowSums, rows: Float32Array) => void;

/**
 * Learnable rows by global id, with their owners: each step every touched row is updated once, by the sum of the
 * gradients that any rank pushed for it, added in the order of (rank, call). All other rows keep their bits.
 * DGL: DistEmbedding.
 */
export class DistEmbedding {
  readonly name: string;
  readonly numRows: number;
  readonly dim: number;
  /** Global ids that this rank owns */
  readonly first: number;
  readonly count: number;
  /** Their rows [count, dim]. Written by `publish` alone. */
  readonly local: Float32Array;
  readonly store: DistStore;
  readonly #frozen: Int8Array | null;
  #update: RowUpdate | null = null;

  private constructor(store: DistStore, options: DistEmbeddingOptions, offsets: readonly number[]) {
    const { name, numRows, dim, init = uniformRows(-0.5 / dim, 0.5 / dim, 0) } = options;
    [this.first, this.count] = rangeOf(offsets, store.rank.rank);
    this.store = store;
    this.#frozen = options.frozen ?? null;
    this.name = name;
    this.numRows = numRows;
    this.dim = dim;
    this.local = new Float32Array(this.count * dim);
    fillRows(init, this.first, dim, this.local);
    store.host(name, { dtype: "float32", dim, offsets, readOnly: true }, this.local);
    store.host(this.#gradients, { dtype: "float32", dim, offsets }, null, () => this.#apply());
  }

  /**
   * Creates the rows on all ranks, or returns those of this name. Every rank calls it alike.
   *
   * @throws GnnError SPEC_INVALID, RANK_MISMATCH as DistTensor.create
   */
  static async create(store: DistStore, options: DistEmbeddingOptions): Promise<DistEmbedding> {
    const { name, numRows, dim, init } = options;
    checkRowName(name);
    if (!(Number.isSafeInteger(dim) && dim >= 1)) {
      throw new GnnError("SPEC_INVALID", `The rows of "${name}" are ${dim} wide; expected a whole number from 1 on.`);
    }
    const offsets = offsetsFor(store, name, numRows, options.offsets);
    const what = `embedding [${numRows}, ${dim}], ${init?.key ?? "default"}, rows at ${offsets.join(" ")}`;
    return store.createOrReuse(name, what, () => new DistEmbedding(store, options, offsets));
  }

  /** Rows [ids, dim] in the order of the ids, as of the last step. */
  get(ids: Int32Array, options?: RowCallOptions): Promise<Float32Array> {
    return this.store.get<"float32">(this.name, ids, options);
  }

  /**
   * Hands gradients [ids, dim] of this step's loss to the owners. They are summed over calls and ranks, so the loss of
   * a rank is its share of the global one: divide by the weight of the whole batch.
   */
  pushGradients(ids: Int32Array, gradients: Float32Array, options?: RowCallOptions): Promise<void> {
    return this.store.add(this.#gradients, ids, gradients, options);
  }

  /** Makes an optimizer responsible for the rows. @throws GnnError SPEC_INVALID when another one is */
  attach(update: RowUpdate): void {
    if (this.#update) throw new GnnError("SPEC_INVALID", `"${this.name}" has an optimizer already.`);
    this.#update = update;
  }

  /** Places in `rows`, which count from this rank's first, of those that learn; null: all of them do. */
  placesThatLearn(rows: Int32Array): Int32Array | null {
    const frozen = this.#frozen;
    if (!frozen) return null;
    return Int32Array.from(rows.keys()).filter((place) => !frozen[this.first + (rows[place] as number)]);
  }

  get #gradients(): string {
    return `${this.name}/gradient`;
  }

  #learning({ ids, rows }: RowSums): RowSums {
    const places = this.placesThatLearn(ids);
    if (!places) return { ids, rows };
    const { dim } = this;
    const kept = new Float32Array(places.length * dim);
    for (const [i, place] of places.entries()) kept.set(rows.subarray(place * dim, (place + 1) * dim), i * dim);
    return { ids: places.map((place) => ids[place] as number), rows: kept };
  }

  #apply(): void {
    const { ids, rows } = this.store.takeSums(this.#gradients);
    if (ids.length === 0) return;
    if (!this.#update) {
      throw new GnnError("SPEC_INVALID", `"${this.name}" got gradients and has no optimizer; make one of its rows.`);
    }
    const learning = this.#learning({ ids: ids.map((id) => id - this.first), rows });
    if (learning.ids.length > 0) this.#update(learning, this.local);
  }
}
