/** The arrays one behind the other, in memory of their own. */
export function concatInt32(arrays: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}
