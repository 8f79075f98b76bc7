import { meanRank } from "./mean-rank.ts";
import type { NodePairs } from "./node-pairs.ts";
import type { PairIndex } from "./pair-index.ts";
import { alone, type SharingRank } from "./score-pairs.ts";
import { type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

export interface LinkRanking extends RowScoring {
  /**
   * Targets that are no candidates, beside the source itself: all known links for filtered ranks (`LinkSplit.known`),
   * those of training for recommendation (`seen`). null: raw ranks
   */
  readonly leftOut: PairIndex | null;
  /** Default: the only rank */
  readonly rank?: SharingRank;
}

/**
 * The rank of each pair's target among all nodes as targets of its source, ties at their mean place (`meanRank`). For
 * the other side rank the pairs turned around; with a symmetric decoder that is all there is to it.
 *
 * Ranks take blocks of sources in turn; all of them return all ranks, with the same bits on any number of ranks.
 * Memory: `maxBytes` and 4 bytes per pair.
 */
export async function rankLinks(ranking: LinkRanking, { src, dst }: NodePairs): Promise<Float32Array> {
  const { rank = alone(), leftOut } = ranking;
  const bySource = new Map<number, number[]>();
  for (const [pair, source] of src.entries()) {
    const of = bySource.get(source);
    if (of) of.push(pair);
    else bySource.set(source, [pair]);
  }
  const sources = Int32Array.from(bySource.keys()).toSorted();
  const perBlock = rowsPerBlock(ranking);
  const ranks = new Float32Array(src.length);
  for (let first = 0, block = 0; first < sources.length; first += perBlock, block++) {
    if (block % rank.worldSize !== rank.rank) continue;
    scoreRows(ranking, sources.subarray(first, first + perBlock), (source, scores) => {
      const without = new Set([source, ...(leftOut?.targetsOf(source) ?? [])]);
      for (const pair of bySource.get(source) ?? []) ranks[pair] = meanRank(scores, dst[pair] as number, without);
    });
  }
  await rank.collective.allReduceSum(ranks);
  return ranks;
}
