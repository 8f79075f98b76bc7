import { keyedHash } from "./keyed-order.ts";

const rounds = 6;

/**
 * A permutation of 0 … size − 1 that depends on the key alone and is never stored: each number is mapped by itself, so
 * that every rank maps its own. A Feistel network over the least even number of bits that holds `size` (Luby and
 * Rackoff 1988), followed until it lands inside again (Black and Rogaway 2002, cycle walking).
 *
 * @param size 1 to 2^31 − 1
 */
export function keyedPermutation(size: number, ...key: readonly number[]): (i: number) => number {
  const half = Math.max(1, Math.ceil(Math.log2(Math.max(2, size)) / 2));
  const mask = 2 ** half - 1;
  const mixed = (i: number) => {
    let [left, right] = [Math.floor(i / (mask + 1)), i & mask];
    for (let round = 0; round < rounds; round++) {
      [left, right] = [right, left ^ (keyedHash(...key, round, right) & mask)];
    }
    return left * (mask + 1) + right;
  };
  return (i) => {
    let at = mixed(i);
    while (at >= size) at = mixed(at);
    return at;
  };
}
