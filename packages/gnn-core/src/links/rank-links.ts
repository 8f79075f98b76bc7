import { meanRank } from "./mean-rank.ts";
import type { NodeGroups } from "./node-groups.ts";
import type { NodePairs } from "./node-pairs.ts";
import type { PairIndex } from "./pair-index.ts";
import { alone, type SharingRank } from "./score-pairs.ts";
import { candidatesAmong, type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

export interface LinkRanking extends Omit<RowScoring, "candidates"> {
  /**
   * Targets that are no candidates, beside the source itself: all known links for filtered ranks (`LinkSplit.known`),
   * those of training for recommendation (`seen`). null: raw ranks
   */
  readonly leftOut: PairIndex | null;
  /** `LinkSplit.groups`: targets are ranked among the nodes of their type. Left out or null: among all nodes */
  readonly groups?: NodeGroups | null;
  /** Default: the only rank */
  readonly rank?: SharingRank;
}

/**
 * The rank of each pair's target among all nodes of its type as targets of its source, ties at their mean place
 * (`meanRank`). For the other side rank the pairs turned around; with a symmetric decoder that is all there is to it.
 *
 * Ranks take blocks of sources in turn; all of them return all ranks, with the same bits on any number of ranks.
 * Memory: `maxBytes` and 4 bytes per pair.
 */
export async function rankLinks(ranking: LinkRanking, pairs: NodePairs): Promise<Float32Array> {
  const { rank = alone(), groups } = ranking;
  const ranks = new Float32Array(pairs.src.length);
  if (groups) {
    for (const [type, of] of pairsByTarget(pairs, groups).entries()) {
      if (of.length > 0) rankAmong(ranking, pairs, of, ranks, { groups, type });
    }
  } else rankAmong(ranking, pairs, pairs.src.keys(), ranks, null);
  await rank.collective.allReduceSum(ranks);
  return ranks;
}

/** The places of the pairs that end in nodes of each type. */
function pairsByTarget({ dst }: NodePairs, groups: NodeGroups): number[][] {
  const places = Array.from({ length: groups.numTypes }, (): number[] => []);
  for (const [pair, target] of dst.entries()) (places[groups.typeOf(target)] as number[]).push(pair);
  return places;
}

/** Fills in the ranks of some pairs, those of this rank's sources, among all nodes or those of one type. */
function rankAmong(
  ranking: LinkRanking,
  { src, dst }: NodePairs,
  which: Iterable<number>,
  ranks: Float32Array,
  among: { readonly groups: NodeGroups; readonly type: number } | null,
): void {
  const { rank = alone(), leftOut, nodes } = ranking;
  const scoring = among
    ? { ...ranking, candidates: candidatesAmong(nodes, among.groups.nodesOf(among.type)) }
    : ranking;
  const isCandidate = (node: number) => among === null || among.groups.typeOf(node) === among.type;
  const placeOf = (node: number) => (among ? among.groups.placeOf(node) : node);
  const bySource = pairsBySource(src, which);
  const sources = Int32Array.from(bySource.keys()).toSorted();
  const perBlock = rowsPerBlock(scoring);
  for (let first = 0, block = 0; first < sources.length; first += perBlock, block++) {
    if (block % rank.worldSize !== rank.rank) continue;
    scoreRows(scoring, sources.subarray(first, first + perBlock), (source, scores) => {
      const known = [source, ...(leftOut?.targetsOf(source) ?? [])].filter(isCandidate);
      const without = new Set(known.map(placeOf));
      for (const pair of bySource.get(source) ?? []) {
        ranks[pair] = meanRank(scores, placeOf(dst[pair] as number), without);
      }
    });
  }
}

function pairsBySource(src: Int32Array, which: Iterable<number>): Map<number, number[]> {
  const bySource = new Map<number, number[]>();
  for (const pair of which) {
    const source = src[pair] as number;
    const known = bySource.get(source);
    if (known) known.push(pair);
    else bySource.set(source, [pair]);
  }
  return bySource;
}
