import { GnnError } from "../errors/gnn-error.ts";
import { concatInt32 } from "../io/concat-arrays.ts";
import type { LinkDecoder } from "./decoders/link-decoder.ts";
import type { NodeGroups } from "./node-groups.ts";
import type { NodePairs } from "./node-pairs.ts";
import { ndcgAt, ranksBySource, recallAt } from "./rank-figures.ts";
import { rankLinks } from "./rank-links.ts";
import type { NodeRows, SharingRank } from "./score-pairs.ts";
import type { LinkSplit } from "./split-links.ts";

/** Length of the lists that recommendations are judged by */
export const recommendedAt = 20;

/**
 * Figures of recommendation: each node's held-out targets are ranked among all nodes of their type but those that
 * training links it with, other held-out ones included, and the best 20 are its list; ties share their mean place.
 * The means over nodes with held-out links of recall@20 and NDCG@20, as He et al. 2020 (arXiv:2002.02126), section 4.1,
 * have it of users and items.
 *
 * @param pairs       held-out links
 * @param recommendTo the type whose nodes get lists; null: sources, and where the graph is undirected both ends
 * @returns `recall@20` and `ndcg@20`; null where there are no such links
 * @throws GnnError SPEC_INVALID when there is no such type
 */
export async function recommendationFigures(
  ranked: { readonly nodes: NodeRows; readonly decoder: LinkDecoder; readonly rank: SharingRank },
  split: Pick<LinkSplit, "seen" | "groups" | "directed">,
  pairs: NodePairs,
  recommendTo: string | null,
): Promise<Record<string, number | null>> {
  const asked = askedPairs(pairs, split, recommendTo);
  const ranks = await rankLinks({ ...ranked, leftOut: split.seen, groups: split.groups }, asked);
  const bySource = ranksBySource(asked.src, ranks);
  return {
    [`recall@${recommendedAt}`]: recallAt(bySource, recommendedAt),
    [`ndcg@${recommendedAt}`]: ndcgAt(bySource, recommendedAt),
  };
}

/** Pairs from the nodes that get lists; both ways round where both ends do. */
function askedPairs(
  { src, dst }: NodePairs,
  { groups, directed }: Pick<LinkSplit, "groups" | "directed">,
  recommendTo: string | null,
): NodePairs {
  const type = recommendTo === null ? null : typeNamed(recommendTo, groups);
  const isAsked = (from: Int32Array) => (pair: number) =>
    type === null || groups?.typeOf(from[pair] as number) === type;
  const places = Int32Array.from(src.keys());
  const along = places.filter(isAsked(src));
  const back = directed ? new Int32Array() : places.filter(isAsked(dst));
  const taken = (from: Int32Array, which: Int32Array) => which.map((pair) => from[pair] as number);
  return {
    src: concatInt32([taken(src, along), taken(dst, back)]),
    dst: concatInt32([taken(dst, along), taken(src, back)]),
  };
}

/** The code of a type of nodes. @throws GnnError SPEC_INVALID with the types that there are */
export function typeNamed(name: string, groups: NodeGroups | null): number {
  const type = groups?.names.indexOf(name) ?? -1;
  if (type >= 0) return type;
  const found = groups ? `the nodes are of the types ${groups.names.join(", ")}` : "all nodes are of one type";
  const pointer = "/task/recommendTo";
  throw new GnnError("SPEC_INVALID", `${pointer}: there are no nodes of type "${name}"; ${found}.`, {
    place: { pointer },
  });
}
