/**
 * int64 arrays as pairs of 32-bit words: a BigInt per element would cost tens of nanoseconds and garbage each.
 * Values must be safe integers (|value| ≤ 2^53 − 1).
 */
const wordSize = 2 ** 32;

/** The words of an int64 array, low word first; shares its memory. */
export function int64Words(values: BigInt64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2);
}

export function int64At(words: Int32Array, index: number): number {
  return words[index * 2 + 1]! * wordSize + (words[index * 2]! >>> 0);
}

export function setInt64(words: Int32Array, index: number, value: number): void {
  words[index * 2] = value | 0;
  words[index * 2 + 1] = Math.floor(value / wordSize);
}
