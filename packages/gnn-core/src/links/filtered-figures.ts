import { turnedRelation } from "../graph/turned-relation.ts";
import type { LinkDecoder } from "./decoders/link-decoder.ts";
import type { NodePairs } from "./node-pairs.ts";
import { hitsAt, meanReciprocalRank } from "./rank-figures.ts";
import { rankLinks } from "./rank-links.ts";
import type { NodeRows, SharingRank } from "./score-pairs.ts";
import type { LinkSplit } from "./split-links.ts";

/** Places up to which filtered ranks count as hits */
const filteredHitsAt = [1, 3, 10] as const;

/**
 * Filtered figures, as of knowledge graphs: each held-out link is ranked among all nodes of its target's type in place
 * of its target, all other known links left out, ties at their mean place. The same is done in place of its source,
 * where either direction can be scored: with relations (`turnedRelation`), and where the graph is undirected.
 * Bordes et al. 2013, Translating Embeddings, section 4.1.
 *
 * @param pairs held-out links
 * @returns `filteredMrr` and `filteredHits@k`; null where there are no links
 */
export async function filteredFigures(
  ranked: { readonly nodes: NodeRows; readonly decoder: LinkDecoder; readonly rank: SharingRank },
  split: Pick<LinkSplit, "known" | "groups" | "directed" | "numRelations">,
  pairs: NodePairs,
): Promise<Record<string, number | null>> {
  const ranking = { ...ranked, leftOut: split.known, groups: split.groups };
  const turned = turnedPairs(pairs, split);
  const found = [await rankLinks(ranking, pairs), ...(turned ? [await rankLinks(ranking, turned)] : [])];
  const ranks = Float32Array.from(found.flatMap((some) => [...some]));
  const hits = filteredHitsAt.map((k) => [`filteredHits@${k}`, hitsAt(ranks, k)] as const);
  return { filteredMrr: meanReciprocalRank(ranks), ...Object.fromEntries(hits) };
}

/** null: nothing is to be ranked in place of a source */
function turnedPairs(
  { src, dst, relations }: NodePairs,
  { directed, numRelations }: Pick<LinkSplit, "directed" | "numRelations">,
): NodePairs | null {
  if (relations && numRelations !== null) {
    // Links of an undirected graph stand in both directions already.
    if (!directed) return null;
    return { src: dst, dst: src, relations: relations.map((relation) => turnedRelation(relation, numRelations)) };
  }
  return directed ? null : { src: dst, dst: src };
}
