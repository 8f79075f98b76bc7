import type { RankContext } from "./rank-context.ts";

/** Floats of one reduction: 4 MiB, so that no host holds a second copy of the rows */
const chunkLength = 2 ** 20;

/** Positions [first, first + count) */
interface Range {
  readonly first: number;
  readonly count: number;
}

/**
 * Brings together what the ranks of several hosts have written into memory that only the ranks of one host share:
 * afterwards every host has every rank's range, bit for bit. Nothing happens where all ranks are on one host. Every
 * rank calls it, at the same place and with ranges that do not overlap; it ends with a barrier.
 *
 * @param own the floats of `memory` that this rank has written
 */
export async function shareRows(rank: RankContext, memory: Float32Array, own: Range): Promise<void> {
  if ((rank.numHosts ?? 1) === 1) return;
  const values = memory.subarray(own.first, own.first + own.count);
  for await (const { first, chunk } of joinedRanges(rank, { values, first: own.first, length: memory.length }))
    if (rank.localRank === 0) memory.set(chunk, first);
  await rank.collective.barrier();
}

/** What one rank has of an array that lies with all ranks */
interface HeldRange {
  readonly values: Float32Array;
  /** Position of its first value in the whole array */
  readonly first: number;
  /** Length of the whole array */
  readonly length: number;
}

/**
 * The whole array, bit for bit, piece by piece from its beginning: no rank holds all of it. Every rank takes every
 * piece, with ranges that do not overlap.
 *
 * @yields memory that the next piece overwrites
 */
export async function* joinedRanges(
  { collective }: Pick<RankContext, "collective">,
  { values, first: ownFirst, length }: HeldRange,
): AsyncGenerator<{ readonly first: number; readonly chunk: Float32Array }, void, undefined> {
  const buffer = new Float32Array(Math.min(chunkLength, length));
  for (let first = 0; first < length; first += chunkLength) {
    const chunk = buffer.subarray(0, Math.min(chunkLength, length - first));
    chunk.fill(-0); // x + -0 = x for every x, 0 and -0 included
    const from = Math.max(ownFirst, first);
    const to = Math.min(ownFirst + values.length, first + chunk.length);
    if (from < to) chunk.set(values.subarray(from - ownFirst, to - ownFirst), from - first);
    await collective.allReduceSum(chunk);
    yield { first, chunk };
  }
}
