/** Park-Miller minimal standard generator: a few numbers for tests, the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = (seed % 2147483646) + 1;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

/** float32 values in (−1, 1). */
export function randomFloats(count: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length: count }, () => 2 * random() - 1);
}
