import type { KnownPairs } from "./known-pairs.ts";
import { meanRank } from "./mean-rank.ts";
import type { NodeGroups } from "./node-groups.ts";
import type { NodePairs } from "./node-pairs.ts";
import { alone, type SharingRank } from "./score-pairs.ts";
import { candidatesAmong, type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

export interface LinkRanking extends Omit<RowScoring, "candidates"> {
  /**
   * Targets that are no candidates, beside the source itself: all known links for filtered ranks (`LinkSplit.known`),
   * those of training for recommendation (`seen`). null: raw ranks
   */
  readonly leftOut: KnownPairs | null;
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
  pairs: NodePairs,
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
  const queries = queriesOf(pairs, which);
  const perBlock = rowsPerBlock(scoring);
  for (let first = 0, block = 0; first < queries.length; first += perBlock, block++) {
    if (block % rank.worldSize !== rank.rank) continue;
    const some = queries.slice(first, first + perBlock);
    const relations = pairs.relations ? Int32Array.from(some, ({ relation }) => relation) : null;
    scoreRows(
      scoring,
      Int32Array.from(some, ({ source }) => source),
      relations,
      (place, scores) => {
        const { source, relation, asked } = some[place] as Query;
        const known = [source, ...(leftOut?.targetsOf(source, relation) ?? [])].filter(isCandidate);
        const without = new Set(known.map(placeOf));
        for (const pair of asked) ranks[pair] = meanRank(scores, placeOf(pairs.dst[pair] as number), without);
      },
    );
  }
}

/** A source whose targets in one relation are ranked, and the pairs that ask for it. */
interface Query {
  readonly source: number;
  readonly relation: number;
  readonly asked: number[];
}

/** By source, then relation. */
function queriesOf({ src, relations }: NodePairs, which: Iterable<number>): Query[] {
  const queries = new Map<number, Map<number, Query>>();
  for (const pair of which) {
    const [source, relation] = [src[pair] as number, relations?.[pair] ?? 0];
    const ofSource = queries.get(source) ?? new Map<number, Query>();
    queries.set(source, ofSource);
    const query = ofSource.get(relation) ?? { source, relation, asked: [] };
    ofSource.set(relation, query);
    query.asked.push(pair);
  }
  const found = [...queries.values()].flatMap((ofSource) => [...ofSource.values()]);
  return found.toSorted((a, b) => a.source - b.source || a.relation - b.relation);
}
