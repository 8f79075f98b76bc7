import { setImmediate as nextTurn } from "node:timers/promises";
import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { DecoderProduct, LinkDecoder } from "./decoders/link-decoder.ts";
import type { KnownPairs } from "./known-pairs.ts";
import { meanRank } from "./mean-rank.ts";
import type { NodeGroups } from "./node-groups.ts";
import type { NodePairs } from "./node-pairs.ts";
import { alone, rowsOf, type SharingRank } from "./score-pairs.ts";
import { candidatesAmong, type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

export interface LinkRanking extends Omit<RowScoring, "candidates" | "decoder"> {
  readonly decoder: Pick<LinkDecoder, "scoreAll" | "product">;
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
 * Memory: `maxBytes` and 4 bytes per pair; where scores are a product at most 192 rows of them, at least one, and the
 * rows of all candidates once more.
 */
export async function rankLinks(ranking: LinkRanking, pairs: NodePairs): Promise<Float32Array> {
  const { rank = alone(), groups } = ranking;
  const ranks = new Float32Array(pairs.src.length);
  if (groups) {
    for (const [type, of] of pairsByTarget(pairs, groups).entries()) {
      if (of.length > 0) await rankAmong(ranking, pairs, of, ranks, { groups, type });
    }
  } else await rankAmong(ranking, pairs, pairs.src.keys(), ranks, null);
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
async function rankAmong(
  ranking: LinkRanking,
  pairs: NodePairs,
  which: Iterable<number>,
  ranks: Float32Array,
  among: { readonly groups: NodeGroups; readonly type: number } | null,
): Promise<void> {
  const { rank = alone(), leftOut, nodes } = ranking;
  const scoring = among
    ? { ...ranking, candidates: candidatesAmong(nodes, among.groups.nodesOf(among.type)) }
    : ranking;
  const isCandidate = (node: number) => among === null || among.groups.typeOf(node) === among.type;
  const placeOf = (node: number) => (among ? among.groups.placeOf(node) : node);
  const without = ({ source, relation }: Query) => {
    const known = leftOut?.targetsOf(source, relation) ?? [];
    const left = [...known].includes(source) ? [...known] : [...known, source];
    return left.filter(isCandidate).map(placeOf);
  };
  const targetOf = (pair: number) => placeOf(pairs.dst[pair] as number);
  const queries = queriesOf(pairs, which);
  const rankBlock = ranking.decoder.product
    ? productRanks(scoring, ranking.decoder.product, { without, targetOf })
    : scoredRanks(scoring, { without, targetOf });
  const perBlock = ranking.decoder.product ? queriesPerCall : rowsPerBlock(scoring);
  for (let first = 0, block = 0; first < queries.length; first += perBlock, block++) {
    if (block % rank.worldSize !== rank.rank) continue;
    const some = queries.slice(first, first + perBlock);
    rankBlock(some, pairs.relations !== undefined, ranks);
    await nextTurn();
  }
}

/** Queries that the native library ranks in one call: those of ranks that share the work take turns by as many. */
const queriesPerCall = 768;

/** What a block of queries is ranked among, by the places of candidates */
interface BlockOfQueries {
  readonly without: (query: Query) => number[];
  readonly targetOf: (pair: number) => number;
}

/** Ranks queries of one block, and writes the ranks of the pairs that ask for them. */
type RankBlock = (queries: readonly Query[], tellsRelations: boolean, ranks: Float32Array) => void;

/** By scores that are no product: those of a block exist, and are gone through one by one. */
function scoredRanks(scoring: RowScoring, { without, targetOf }: BlockOfQueries): RankBlock {
  return (queries, tellsRelations, ranks) =>
    scoreRows(scoring, sourcesOf(queries), relationsOf(queries, tellsRelations), (place, scores) => {
      const query = queries[place] as Query;
      const left = new Set(without(query));
      for (const pair of query.asked) ranks[pair] = meanRank(scores, targetOf(pair), left);
    });
}

/** By the product of both rows, natively: at most 192 rows of scores exist, fewer where the bound allows fewer. */
function productRanks(scoring: RowScoring, product: DecoderProduct, among: BlockOfQueries): RankBlock {
  const { nodes, candidates } = scoring;
  const { dim } = nodes;
  const { rows } = candidates ?? nodes;
  const numCandidates = rows.length / dim;
  const keys = floatsOf(() => product.key(tensor2d(rows, [numCandidates, dim])));
  const rowsAtOnce = Math.min(192, rowsPerBlock(scoring));
  return (queries, tellsRelations, ranks) => {
    const relations = relationsOf(queries, tellsRelations) ?? undefined;
    const sources = rowsOf(nodes, sourcesOf(queries));
    const from = floatsOf(() => product.query(tensor2d(sources, [queries.length, dim]), relations));
    const targets = listsOf(queries.map(({ asked }) => asked.map(among.targetOf)));
    const left = listsOf(queries.map(among.without));
    const found = new Float32Array(targets.entries.length);
    nativeSync(() =>
      loadAddon().rankTargets(
        ...([queries.length, numCandidates, dim, rowsAtOnce, from, keys] as const),
        ...([targets.entries.length, left.entries.length] as const),
        ...([targets.starts, targets.entries, left.starts, left.entries, found] as const),
      ),
    );
    for (const [i, pair] of queries.flatMap(({ asked }) => asked).entries()) ranks[pair] = found[i] as number;
  };
}

/** Values of what is computed. Not returned by `tidy` itself, which would look for tensors in each of them. */
function floatsOf(compute: () => Tensor2D): Float32Array {
  const result = tidy(compute);
  const values = result.dataSync<"float32">();
  result.dispose();
  return values;
}

function sourcesOf(queries: readonly Query[]): Int32Array {
  return Int32Array.from(queries, ({ source }) => source);
}

function relationsOf(queries: readonly Query[], tellsRelations: boolean): Int32Array | null {
  return tellsRelations ? Int32Array.from(queries, ({ relation }) => relation) : null;
}

/** Lists one after another, and where each begins. */
function listsOf(lists: readonly number[][]): { readonly starts: Int32Array; readonly entries: Int32Array } {
  const starts = new Int32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) starts[i + 1] = (starts[i] as number) + list.length;
  return { starts, entries: Int32Array.from(lists.flat()) };
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
