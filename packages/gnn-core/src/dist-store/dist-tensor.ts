import { GnnError } from "../errors/gnn-error.ts";
import { checkRowName, evenOffsets, newRowArray, type RowArray, type RowDtype } from "../partition/row-schema.ts";
import type { DistStore } from "./dist-store.ts";
import type { RowInitializer } from "./initializers.ts";
import type { RowCallOptions } from "./row-service.ts";

export interface DistTensorOptions<D extends RowDtype> {
  /** Everyone who asks for this name gets the same tensor: letters, digits, ".", "_", "-", parts divided by "/" */
  readonly name: string;
  /** Rows first */
  readonly shape: readonly [numRows: number, ...rowShape: number[]];
  readonly dtype: D;
  /** float32 only; left out: zeros */
  readonly init?: RowInitializer;
  /** [worldSize + 1] from 0: who owns which rows, as of a PartitionBook; left out: even ranges */
  readonly offsets?: readonly number[];
}

/** Rows that are there already, such as those of a mapped part. */
export interface HostedTensorOptions<D extends RowDtype> {
  readonly name: string;
  readonly dtype: D;
  /** Elements of a row */
  readonly rowShape: readonly number[];
  /** [worldSize + 1] from 0: who owns which rows */
  readonly offsets: readonly number[];
  /** This rank's rows, never written */
  readonly values: RowArray<D>;
}

/**
 * A tensor whose rows lie with their owners and are read and written by global row id from every rank. DGL: DistTensor.
 * Writes of a step can be read after `DistStore.publish`.
 */
export class DistTensor<D extends RowDtype = RowDtype> {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: D;
  /** [worldSize + 1] from 0: who owns which rows */
  readonly offsets: readonly number[];
  /** Global ids that this rank owns */
  readonly first: number;
  readonly count: number;
  /** Their rows in this process. Written by `publish` alone. */
  readonly local: RowArray<D>;
  /** Rows that nobody may write: those of `hosted` */
  readonly readOnly: boolean;
  readonly #store: DistStore;

  private constructor(
    store: DistStore,
    options: Pick<DistTensor<D>, "name" | "shape" | "dtype" | "offsets" | "first" | "count" | "local" | "readOnly">,
  ) {
    this.#store = store;
    this.name = options.name;
    this.shape = options.shape;
    this.dtype = options.dtype;
    this.offsets = options.offsets;
    this.first = options.first;
    this.count = options.count;
    this.local = options.local;
    this.readOnly = options.readOnly;
  }

  /**
   * Creates the tensor on all ranks, or returns the one of this name. Every rank calls it alike.
   *
   * @throws GnnError SPEC_INVALID when the name is unfit or stands for another tensor, RANK_MISMATCH when the ranks
   * ask for different ones
   */
  static async create<D extends RowDtype>(store: DistStore, options: DistTensorOptions<D>): Promise<DistTensor<D>> {
    const { name, shape, dtype, init } = options;
    checkRowName(name);
    const [numRows, ...rowShape] = shape;
    if (init && dtype !== "float32") {
      throw new GnnError("SPEC_INVALID", `"${name}" is ${dtype}; only float32 rows have an initialiser.`);
    }
    const offsets = offsetsFor(store, name, numRows, options.offsets);
    const what = `tensor [${shape.join(", ")}] ${dtype}, ${init?.key ?? "zeros"}, rows at ${offsets.join(" ")}`;
    return store.createOrReuse(name, what, () => {
      const dim = widthOf(name, rowShape);
      const [first, count] = rangeOf(offsets, store.rank.rank);
      const local = newRowArray(dtype, count * dim);
      if (init) fillRows(init, first, dim, local as Float32Array);
      store.host(name, { dtype, dim, offsets }, local);
      return new DistTensor(store, { name, shape, dtype, offsets, first, count, local, readOnly: false });
    });
  }

  /**
   * Offers rows that every rank has of its own part, without a copy; nobody can write them. Every rank calls it alike.
   *
   * @throws GnnError as `create`; SHAPE_MISMATCH when the values do not fill this rank's rows
   */
  static async hosted<D extends RowDtype>(store: DistStore, options: HostedTensorOptions<D>): Promise<DistTensor<D>> {
    const { name, dtype, rowShape, values } = options;
    checkRowName(name);
    const numRows = options.offsets.at(-1) ?? 0;
    const offsets = offsetsFor(store, name, numRows, options.offsets);
    const shape = [numRows, ...rowShape];
    const what = `hosted [${shape.join(", ")}] ${dtype}, rows at ${offsets.join(" ")}`;
    return store.createOrReuse(name, what, () => {
      const [first, count] = rangeOf(offsets, store.rank.rank);
      store.host(name, { dtype, dim: widthOf(name, rowShape), offsets, readOnly: true }, values);
      return new DistTensor(store, { name, shape, dtype, offsets, first, count, local: values, readOnly: true });
    });
  }

  /** Rows [ids, …rowShape] in the order of the ids, as of the last `publish`. */
  get(ids: Int32Array, options?: RowCallOptions): Promise<RowArray<D>> {
    return this.#store.get<D>(this.name, ids, options);
  }

  /** Replaces rows. Written by several ranks in a step, the highest rank's row stays; by one rank, its last. */
  set(ids: Int32Array, rows: RowArray<D>, options?: RowCallOptions): Promise<void> {
    return this.#store.set(this.name, ids, rows, options);
  }

  /** Adds to rows: float32, int32, int64. */
  add(ids: Int32Array, rows: RowArray<D>, options?: RowCallOptions): Promise<void> {
    return this.#store.add(this.name, ids, rows, options);
  }
}

/** @throws GnnError SPEC_INVALID when the ranges are for other rows or another number of ranks */
export function offsetsFor(
  store: DistStore,
  name: string,
  numRows: number,
  offsets: readonly number[] | undefined,
): readonly number[] {
  const { worldSize } = store.rank;
  if (!offsets) return evenOffsets(numRows, worldSize);
  if (offsets.at(-1) === numRows && offsets.length === worldSize + 1) return offsets;
  throw new GnnError(
    "SPEC_INVALID",
    `"${name}" has ${numRows} rows on ${worldSize} ranks; its ranges are [${offsets.slice(0, 9).join(", ")}]. Give one range for each rank.`,
  );
}

export function rangeOf(offsets: readonly number[], rank: number): readonly [first: number, count: number] {
  const first = offsets[rank] as number;
  const end = offsets[rank + 1] as number;
  return [first, end - first];
}

export function fillRows(init: RowInitializer, first: number, dim: number, rows: Float32Array): void {
  for (let row = 0; row * dim < rows.length; row++) init.fill(first + row, rows.subarray(row * dim, (row + 1) * dim));
}

function widthOf(name: string, rowShape: readonly number[]): number {
  const dim = rowShape.reduce((product, size) => product * size, 1);
  if (Number.isSafeInteger(dim) && dim >= 1) return dim;
  throw new GnnError("SPEC_INVALID", `"${name}" has rows of shape [${rowShape.join(", ")}]; expected sizes from 1 on.`);
}
