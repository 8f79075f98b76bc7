/** Figures of ranks, which count from 1 and may be halves (`meanRank`). */

/** Mean reciprocal rank, Σ 1/rank / n; null of no ranks. */
export function meanReciprocalRank(ranks: Float32Array): number | null {
  return meanOf(ranks, (rank) => 1 / rank);
}

/** Hits@k: the share of ranks up to k. A link that ties across the border counts by its mean rank. */
export function hitsAt(ranks: Float32Array, k: number): number | null {
  return meanOf(ranks, (rank) => Number(rank <= k));
}

/** The ranks of one source's held-out targets among all candidates, the other held-out targets included */
export type RanksBySource = ReadonlyMap<number, readonly number[]>;

/** recall@k: of each source the share of its held-out targets up to rank k; the mean over sources. */
export function recallAt(bySource: RanksBySource, k: number): number | null {
  return meanOfSources(bySource, (ranks) => ranks.filter((rank) => rank <= k).length / ranks.length);
}

/**
 * NDCG@k with binary relevance, the mean over sources (Järvelin and Kekäläinen 2002):
 *   DCG = Σ_{rank ≤ k} 1 / log2(1 + rank), divided by that of the best order, Σ_{i ≤ min(k, targets)} 1 / log2(1 + i)
 */
export function ndcgAt(bySource: RanksBySource, k: number): number | null {
  const gain = (rank: number) => 1 / Math.log2(1 + rank);
  return meanOfSources(bySource, (ranks) => {
    const found = ranks.filter((rank) => rank <= k).reduce((sum, rank) => sum + gain(rank), 0);
    const best = Array.from({ length: Math.min(k, ranks.length) }, (_, i) => gain(i + 1)).reduce((a, b) => a + b, 0);
    return found / best;
  });
}

/** @param src the source of each rank */
export function ranksBySource(src: Int32Array, ranks: Float32Array): RanksBySource {
  const bySource = new Map<number, number[]>();
  for (const [i, rank] of ranks.entries()) {
    const source = src[i] as number;
    const known = bySource.get(source);
    if (known) known.push(rank);
    else bySource.set(source, [rank]);
  }
  return bySource;
}

function meanOf(ranks: Float32Array, value: (rank: number) => number): number | null {
  if (ranks.length === 0) return null;
  return ranks.reduce((sum, rank) => sum + value(rank), 0) / ranks.length;
}

function meanOfSources(bySource: RanksBySource, value: (ranks: readonly number[]) => number): number | null {
  if (bySource.size === 0) return null;
  let sum = 0;
  for (const ranks of bySource.values()) sum += value(ranks);
  return sum / bySource.size;
}
