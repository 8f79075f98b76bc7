const maxRounds = 200;

/**
 * Distinct undirected pairs without self-loops, drawn in rounds until there are enough; a random surplus is dropped.
 *
 * @param drawPair puts two nodes into its argument; a self-loop is drawn again
 * @param uniform  in [0, 1)
 * @returns keys min·numNodes + max, ascending; fewer than `numPairs` when the model has no more to give
 */
export function distinctPairs(
  numNodes: number,
  numPairs: number,
  drawPair: (pair: Int32Array) => void,
  uniform: () => number,
): Float64Array {
  const pair = new Int32Array(2);
  let kept: Float64Array = new Float64Array(0);
  for (let round = 0; kept.length < numPairs && round < maxRounds; round++) {
    const count = Math.ceil((numPairs - kept.length) * 1.2) + 100;
    const keys = new Float64Array(kept.length + count);
    keys.set(kept);
    for (let i = kept.length; i < keys.length; i++) {
      do drawPair(pair);
      while (pair[0] === pair[1]);
      keys[i] = Math.min(pair[0]!, pair[1]!) * numNodes + Math.max(pair[0]!, pair[1]!);
    }
    keys.sort(); // oxlint-disable-line unicorn/no-array-sort -- in place: a copy would double the memory
    kept = distinct(keys);
  }
  return dropSurplus(kept, numPairs, uniform);
}

function distinct(sorted: Float64Array): Float64Array {
  let end = 0;
  for (const key of sorted) {
    if (end === 0 || sorted[end - 1] !== key) sorted[end++] = key;
  }
  return sorted.slice(0, end);
}

/** Keeps `count` of the keys, each set of that size equally likely, in order (Knuth's algorithm S). */
function dropSurplus(keys: Float64Array, count: number, uniform: () => number): Float64Array {
  if (keys.length <= count) return keys;
  let end = 0;
  for (let i = 0; i < keys.length; i++) {
    if (uniform() * (keys.length - i) < count - end) keys[end++] = keys[i]!;
  }
  return keys.slice(0, end);
}
