import type { MapPoints } from "./view.ts";

/** (√5 − 1) / 2: multiples of it, without their whole parts, spread evenly (Weyl 1916; Knuth 6.4). */
const goldenShare = 0.618_033_988_749_895;

/**
 * A step through `count` points that meets each once and spreads those of every beginning over all: the whole number
 * nearest to the golden section of the count that has no factor in common with it.
 */
export function scatterStep(count: number): number {
  for (let step = Math.max(1, Math.round(count * goldenShare)); step > 1; step--) {
    if (greatestCommonDivisor(step, count) === 1) return step;
  }
  return 1;
}

/** The points in an order of which each beginning is a fair sample, whatever they were sorted by. */
export function scattered({ x, y, groups }: MapPoints): MapPoints {
  const count = x.length;
  const step = scatterStep(count);
  const to = { x: new Float32Array(count), y: new Float32Array(count), groups: new Int16Array(count) };
  for (let i = 0, from = 0; i < count; i++) {
    to.x[i] = x[from] ?? 0;
    to.y[i] = y[from] ?? 0;
    to.groups[i] = groups[from] ?? -1;
    from += step;
    if (from >= count) from -= count;
  }
  return to;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
