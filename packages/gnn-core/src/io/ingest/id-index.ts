import { isCanonicalInt64 } from "./canonical-int64.ts";
import { GrowableFloat64 } from "./growable.ts";
import { IntegerTable, shortInteger } from "./integer-table.ts";

/** One JavaScript Map holds at most 2^24 entries. */
const shardSize = 2 ** 24 - 1;

/**
 * Original ids by NodeIndex, in the order in which they were added. Ids are compared as text; those that are short
 * canonical decimals are kept as the numbers they name, which is the same comparison.
 *
 * All ids lie in memory: 16 to 30 bytes for a number, 100 for a text, so that 20 million text ids take 2 GB. Beyond
 * that an external sort would be needed, which this version does not have.
 */
export class IdIndex {
  readonly #integers = new IntegerTable();
  readonly #texts: Map<string, number>[] = [new Map()];
  /** By NodeIndex: the number, or NaN for an id kept as text. */
  readonly #numbers = new GrowableFloat64();
  #isInt64 = true;

  get size(): number {
    return this.#numbers.length;
  }

  /** True while every id is a canonical decimal int64: only then may ids be stored as numbers. */
  get isInt64(): boolean {
    return this.#isInt64;
  }

  /** NodeIndex of the id, or -1. */
  indexOf(id: string): number {
    const number = shortInteger(id);
    if (!Number.isNaN(number)) return this.#integers.get(number);
    for (const shard of this.#texts) {
      const index = shard.get(id);
      if (index !== undefined) return index;
    }
    return -1;
  }

  /** Gives an id that is not yet there the next NodeIndex. */
  add(id: string): number {
    const index = this.size;
    const number = shortInteger(id);
    this.#numbers.push(number);
    if (Number.isNaN(number)) this.#addText(id, index);
    else this.#integers.add(number, index);
    return index;
  }

  /**
   * Relabels a batch of rows whose ids are short canonical decimals, given as numbers.
   *
   * @param add gives ids that are not yet there the next NodeIndex, in row order, src before dst; else they become -1
   */
  relabelPairs(src: Float64Array, dst: Float64Array, add: boolean) {
    const relabelled = this.#integers.relabelPairs(src, dst, add ? this.size : null);
    for (const number of relabelled.added) this.#numbers.push(number);
    return relabelled;
  }

  /** The ids in NodeIndex order. */
  *ids(): Iterable<string> {
    const texts = this.#textsInOrder();
    for (const number of this.#numbers.values) yield Number.isNaN(number) ? texts.next().value! : String(number);
  }

  #addText(id: string, index: number): void {
    let shard = this.#texts.at(-1)!;
    if (shard.size >= shardSize) {
      shard = new Map();
      this.#texts.push(shard);
    }
    this.#isInt64 &&= isCanonicalInt64(id);
    shard.set(id, index);
  }

  *#textsInOrder(): Generator<string, undefined> {
    for (const shard of this.#texts) yield* shard.keys();
  }
}
