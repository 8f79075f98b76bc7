/** Seed of the hash, murmur3's own */
const start = 0x9747b28c;

/**
 * A 32-bit hash of a list of integers (murmur3's body and finalizer over each word): randomness as a function of
 * what is drawn, for the few draws made in JavaScript. Native draws use 64-bit splitmix.
 */
export function keyedHash(...words: readonly number[]): number {
  return finished(words.reduce(mixNumber, start));
}

/** Both halves of integers up to 2^53 count. */
function mixNumber(hash: number, word: number): number {
  return mixWord(mixWord(hash, word | 0), Math.floor(word / 2 ** 32) | 0);
}

function finished(mixed: number): number {
  let hash = mixed ^ (mixed >>> 16);
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

/** Bits of the hash that order ids; equal ones leave it to the ids. */
const hashBits = 22;
const digitBits = 11;
const numDigits = 2 ** digitBits;

/**
 * `ids` in an order that depends on the key and the ids alone, not on the order they come in:
 * sorted by (keyedHash(…key, id), id).
 */
export function keyedOrder(ids: Int32Array, ...key: readonly number[]): Int32Array {
  const ofKey = key.reduce(mixNumber, start);
  let order = isAscending(ids) ? ids : ids.toSorted();
  let hashes: Int32Array = order.map((id) => finished(mixNumber(ofKey, id)) >>> (32 - hashBits));
  for (let shift = 0; shift < hashBits; shift += digitBits) [order, hashes] = sortedByDigit(order, hashes, shift);
  return order;
}

/** What has equal digits stays in its order. */
function sortedByDigit(ids: Int32Array, hashes: Int32Array, shift: number): [Int32Array, Int32Array] {
  const next = new Int32Array(numDigits + 1);
  const digitOf = (hash: number) => (hash >>> shift) & (numDigits - 1);
  for (let i = 0; i < hashes.length; i++) (next[digitOf(hashes[i] as number) + 1] as number)++;
  for (let digit = 0; digit < numDigits; digit++)
    next[digit + 1] = (next[digit + 1] as number) + (next[digit] as number);
  const [sortedIds, sortedHashes] = [new Int32Array(ids.length), new Int32Array(ids.length)];
  for (let i = 0; i < ids.length; i++) {
    const hash = hashes[i] as number;
    const at = (next[digitOf(hash)] as number)++;
    sortedIds[at] = ids[i] as number;
    sortedHashes[at] = hash;
  }
  return [sortedIds, sortedHashes];
}

function isAscending(ids: Int32Array): boolean {
  for (let i = 1; i < ids.length; i++) if ((ids[i - 1] as number) > (ids[i] as number)) return false;
  return true;
}
