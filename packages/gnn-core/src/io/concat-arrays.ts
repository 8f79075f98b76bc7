/** The arrays one behind the other, in memory of their own. */
export function concatInt32(arrays: readonly Int32Array[]): Int32Array {
  return concatInto(new Int32Array(lengthOf(arrays)), arrays);
}

/** The arrays one behind the other, in memory of their own. */
export function concatFloat64(arrays: readonly Float64Array[]): Float64Array {
  return concatInto(new Float64Array(lengthOf(arrays)), arrays);
}

function lengthOf(arrays: readonly ArrayLike<number>[]): number {
  return arrays.reduce((sum, { length }) => sum + length, 0);
}

function concatInto<T extends Int32Array | Float64Array>(whole: T, arrays: readonly T[]): T {
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}
