/**
 * A 32-bit hash of a list of integers (murmur3's body and finalizer over each word): randomness as a function of
 * what is drawn, for the few draws made in JavaScript. Native draws use 64-bit splitmix.
 */
export function keyedHash(...words: readonly number[]): number {
  let hash = 0x9747b28c;
  for (const word of words) {
    // Both halves of integers up to 2^53 count.
    hash = mixWord(hash, word | 0);
    hash = mixWord(hash, Math.floor(word / 2 ** 32) | 0);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mixWord(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  k = Math.imul(k, 0x1b873593);
  const mixed = hash ^ k;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/**
 * `ids` in an order that depends on the key and the ids alone, not on the order they come in:
 * sorted by (keyedHash(…key, id), id).
 */
export function keyedOrder(ids: Int32Array, ...key: readonly number[]): Int32Array {
  // Hash above, id below: one float64 holds both exactly up to 2^53 when the hash keeps 22 bits,
  // so the sort runs on plain numbers; ties of the hash fall to the id.
  const keys = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) keys[i] = (keyedHash(...key, ids[i]!) >>> 10) * 2 ** 31 + ids[i]!;
  keys.sort();
  return Int32Array.from(keys, (value) => value % 2 ** 31);
}
