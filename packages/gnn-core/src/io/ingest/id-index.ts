import { isCanonicalInt64 } from "./canonical-int64.ts";

/** One JavaScript Map holds at most 2^24 entries. */
const shardSize = 2 ** 24 - 1;

/**
 * Original ids by NodeIndex, in the order in which they were added. Ids are compared as text.
 *
 * All ids lie in memory, about 100 bytes each: 20 million nodes take 2 GB. Beyond that an external sort would
 * be needed, which this version does not have.
 */
export class IdIndex {
  readonly #shards: Map<string, number>[] = [new Map()];
  #size = 0;
  #isInt64 = true;

  get size(): number {
    return this.#size;
  }

  /** True while every id is a canonical decimal int64: only then may ids be stored as numbers. */
  get isInt64(): boolean {
    return this.#isInt64;
  }

  /** NodeIndex of the id, or -1. */
  indexOf(id: string): number {
    for (const shard of this.#shards) {
      const index = shard.get(id);
      if (index !== undefined) return index;
    }
    return -1;
  }

  /** Gives an id that is not yet there the next NodeIndex. */
  add(id: string): number {
    let shard = this.#shards.at(-1)!;
    if (shard.size >= shardSize) {
      shard = new Map();
      this.#shards.push(shard);
    }
    this.#isInt64 &&= isCanonicalInt64(id);
    shard.set(id, this.#size);
    return this.#size++;
  }

  /** The ids in NodeIndex order. */
  *ids(): Iterable<string> {
    for (const shard of this.#shards) yield* shard.keys();
  }
}
