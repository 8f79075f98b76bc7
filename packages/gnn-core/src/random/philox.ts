const multiplier0 = 0xd2511f53;
const multiplier1 = 0xcd9e8d57;
const weyl0 = 0x9e3779b9;
const weyl1 = 0xbb67ae85;

/**
 * Philox4x32-10 (Salmon et al. 2011): 128 random bits from a 128-bit counter and a 64-bit key. The same function as
 * native/include/gnn/random/philox.h.
 *
 * @param counter four uint32, replaced by the random words
 */
export function philox4x32(counter: Uint32Array, key0: number, key1: number): void {
  let [c0, c1, c2, c3] = counter as unknown as [number, number, number, number];
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(multiplier0, c0);
    const high1 = multiplyHigh(multiplier1, c2);
    const low0 = Math.imul(multiplier0, c0);
    const low1 = Math.imul(multiplier1, c2);
    c0 = (high1 ^ c1 ^ key0) >>> 0;
    c1 = low1 >>> 0;
    c2 = (high0 ^ c3 ^ key1) >>> 0;
    c3 = low0 >>> 0;
    key0 = (key0 + weyl0) >>> 0;
    key1 = (key1 + weyl1) >>> 0;
  }
  counter[0] = c0;
  counter[1] = c1;
  counter[2] = c2;
  counter[3] = c3;
}

/** The upper 32 bits of the product of two uint32, by halves: JavaScript has no 64-bit integer product. */
function multiplyHigh(a: number, b: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + Math.floor((aLow * bLow) / 65536);
  const carried = aLow * bHigh + (middle % 65536);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carried / 65536)) >>> 0;
}
