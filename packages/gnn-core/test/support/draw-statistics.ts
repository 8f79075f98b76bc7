import { expect } from "vitest";
import type { Block } from "../../src/graph/block.ts";
import type { Sampler } from "../../src/sampling/sampler.ts";

/** The last blocks of `count` batches of the same seeds, each with its own key. */
export async function drawBlocks(sampler: Sampler, seeds: readonly number[], count: number): Promise<Block[]> {
  const steps = Array.from({ length: count }, (_, step) => step);
  const ids = Int32Array.from(seeds);
  return Promise.all(steps.map(async (step) => (await sampler.sample(ids, { epoch: 0, step })).at(-1)!));
}

/** [src, dst, edge] of every edge, src and dst as nodes. */
export function edgesOfBlock({ indptr, indices, srcIds, numDst }: Block): [src: number, dst: number, edge: number][] {
  return Array.from({ length: numDst }, (_, v) => v).flatMap((v) =>
    Array.from(indices.subarray(indptr[v], indptr[v + 1]), (u, k): [number, number, number] => [
      srcIds[u]!,
      srcIds[v]!,
      indptr[v]! + k,
    ]),
  );
}

/** How often each key occurs. */
export function tally<K>(keys: Iterable<K>): Map<K, number> {
  const counts = new Map<K, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/**
 * Observed counts of exclusive outcomes against their probabilities, which add up to 1: Pearson's χ² lies below the
 * 99.9 % point of its distribution and above the 0.1 % point (too even is wrong as well). Keys are fixed, so a test
 * that passes once passes always.
 */
export function expectDistribution<K>(counts: ReadonlyMap<K, number>, probabilities: ReadonlyMap<K, number>): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const key of counts.keys()) expect(probabilities.get(key) ?? 0).toBeGreaterThan(0);
  const statistic = [...probabilities].reduce((sum, [key, probability]) => {
    const expected = total * probability;
    return sum + ((counts.get(key) ?? 0) - expected) ** 2 / expected;
  }, 0);
  expect(statistic).toBeLessThan(chiSquarePoint(probabilities.size - 1, 3.09));
  expect(statistic).toBeGreaterThan(chiSquarePoint(probabilities.size - 1, -3.09));
}

/** Counts of events that each occur or not in `numTrials` independent trials: |z| < 4 for each. */
export function expectInclusion<K>(
  counts: ReadonlyMap<K, number>,
  probabilities: ReadonlyMap<K, number>,
  numTrials: number,
): void {
  for (const key of counts.keys()) expect(probabilities.get(key) ?? 0).toBeGreaterThan(0);
  for (const [key, probability] of probabilities) {
    const count = counts.get(key) ?? 0;
    if (probability > 1 - 1e-9) expect(count).toBe(numTrials);
    else {
      const deviation = Math.sqrt(numTrials * probability * (1 - probability));
      expect(Math.abs(count - numTrials * probability)).toBeLessThan(4 * deviation);
    }
  }
}

/** The quantile of χ² whose normal quantile is `z` (Wilson and Hilferty 1931; within 1 % from 3 degrees on). */
export function chiSquarePoint(degrees: number, z: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * Math.max(0, 1 - spread + z * Math.sqrt(spread)) ** 3;
}

/**
 * The mean over blocks of Σ_e weight(block, e)·x_src per dst, against `exact`: within 4.5 standard errors for every
 * dst.
 */
export function expectUnbiased(
  blocks: readonly Block[],
  weight: (block: Block, edge: number) => number,
  x: ArrayLike<number>,
  exact: ReadonlyMap<number, number>,
): void {
  const sums = new Map([...exact.keys()].map((dst) => [dst, { sum: 0, squares: 0 }]));
  for (const block of blocks) {
    const totals = new Map<number, number>();
    for (const [src, dst, edge] of edgesOfBlock(block)) {
      totals.set(dst, (totals.get(dst) ?? 0) + weight(block, edge) * x[src]!);
    }
    for (const [dst, total] of totals) {
      const entry = sums.get(dst)!;
      entry.sum += total;
      entry.squares += total ** 2;
    }
  }
  for (const [dst, { sum, squares }] of sums) {
    const mean = sum / blocks.length;
    const deviation = Math.sqrt(Math.max(0, squares / blocks.length - mean ** 2) / blocks.length);
    expect(Math.abs(mean - exact.get(dst)!)).toBeLessThan(4.5 * deviation + 1e-4);
  }
}
