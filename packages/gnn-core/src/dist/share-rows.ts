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
 * afterwards every host has every rank's range, bit for bit. Nothing happens where all ranks are on one host. Every rank
 * calls it, at the same place and with ranges that do not overlap; it ends with a barrier.
 *
 * @param own the floats of `memory` that this rank has written
 */
export async function shareRows(rank: RankContext, memory: Float32Array, own: Range): Promise<void> {
  if ((rank.numHosts ?? 1) === 1) return;
  const buffer = new Float32Array(Math.min(chunkLength, memory.length));
  for (let first = 0; first < memory.length; first += chunkLength) {
    const chunk = buffer.subarray(0, Math.min(chunkLength, memory.length - first));
    chunk.fill(-0); // x + -0 = x for every x, 0 and -0 included
    const from = Math.max(own.first, first);
    const to = Math.min(own.first + own.count, first + chunk.length);
    if (from < to) chunk.set(memory.subarray(from, to), from - first);
    await rank.collective.allReduceSum(chunk);
    if (rank.localRank === 0) memory.set(chunk, first);
  }
  await rank.collective.barrier();
}
