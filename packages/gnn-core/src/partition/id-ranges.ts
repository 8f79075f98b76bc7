import { GnnError } from "../errors/gnn-error.ts";
import { int64At, int64Words, setInt64 } from "../io/int64.ts";

/** Ids as a typed array; 64-bit ones must be safe integers. */
export type IdArray = Int32Array | Float64Array | BigInt64Array;

/** Consecutive ranges of ids, one per part: [offsets[p], offsets[p + 1]). `what` names an id in errors. */
export class IdRanges {
  readonly offsets: readonly number[];
  readonly numParts: number;
  readonly numIds: number;
  readonly #what: string;

  /** @throws GnnError MANIFEST_INVALID when the offsets do not ascend from 0 */
  constructor(offsets: readonly number[], what: string) {
    const ascends = offsets.every((offset, i) => (i === 0 ? offset === 0 : offset >= offsets[i - 1]!));
    if (offsets.length < 2 || !ascends) {
      throw new GnnError("MANIFEST_INVALID", `The ${what} offsets [${offsets.join(", ")}] do not ascend from 0.`);
    }
    this.offsets = offsets;
    this.numParts = offsets.length - 1;
    this.numIds = offsets.at(-1)!;
    this.#what = what;
  }

  /** @throws GnnError SHAPE_MISMATCH for a part that does not exist */
  rangeOf(part: number): { first: number; count: number } {
    const first = this.offsets[part];
    const end = this.offsets[part + 1];
    if (first === undefined || end === undefined) {
      throw new GnnError("SHAPE_MISMATCH", `There is no part ${part}; there are ${this.numParts}.`);
    }
    return { first, count: end - first };
  }

  /** Part of every id, int32 [ids.length]. @throws GnnError SHAPE_MISMATCH for an id in no range */
  partsOf(ids: IdArray): Int32Array {
    const idAt = readerOf(ids);
    const parts = new Int32Array(ids.length);
    for (let i = 0; i < parts.length; i++) parts[i] = this.#partOf(idAt(i));
    return parts;
  }

  /** Position in the range of `part`; -1 for ids of others. */
  toLocal<T extends IdArray>(ids: T, part: number): T {
    const { first, count } = this.rangeOf(part);
    return mapIds(ids, (id) => (id >= first && id < first + count ? id - first : -1));
  }

  /** @throws GnnError SHAPE_MISMATCH for a position outside the range of `part` */
  toGlobal<T extends IdArray>(localIds: T, part: number): T {
    const { first, count } = this.rangeOf(part);
    return mapIds(localIds, (local) => {
      if (local >= 0 && local < count) return first + local;
      throw new GnnError("SHAPE_MISMATCH", `Part ${part} has no inner ${this.#what} ${local}; it owns ${count}.`);
    });
  }

  /** The last part that begins at or before the id; empty parts begin where the next one does. */
  #partOf(id: number): number {
    if (!(id >= 0 && id < this.numIds)) {
      throw new GnnError("SHAPE_MISMATCH", `There is no ${this.#what} ${id}; there are ${this.numIds}.`);
    }
    let low = 0;
    let high = this.numParts - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offsets[middle]! <= id) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function readerOf(ids: IdArray): (i: number) => number {
  if (!(ids instanceof BigInt64Array)) return (i) => ids[i]!;
  const words = int64Words(ids);
  return (i) => int64At(words, i);
}

function mapIds<T extends IdArray>(ids: T, change: (id: number) => number): T {
  const changed = ids.slice() as T;
  const idAt = readerOf(ids);
  if (changed instanceof BigInt64Array) {
    const words = int64Words(changed);
    for (let i = 0; i < changed.length; i++) setInt64(words, i, change(idAt(i)));
  } else for (let i = 0; i < changed.length; i++) changed[i] = change(idAt(i));
  return changed;
}
