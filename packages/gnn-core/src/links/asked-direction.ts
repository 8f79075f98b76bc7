import type { NodeGroups } from "./node-groups.ts";
import { typeNamed } from "./recommendation-figures.ts";

/**
 * Whether a link of an undirected graph is asked from its source (true) or from its target (false) where lists are made
 * to the nodes of one type: from those. null: either end may be the one that is asked from.
 */
export type AskedFromSource = (src: number, dst: number) => boolean | null;

/**
 * Lists are made to users, so that training asks which items a user has, and never which users an item has: a loss of
 * both would share one row of each node between two questions, of which only one is judged (decision 0140).
 *
 * @param recommendTo the type whose nodes get lists; null: there is no such type
 * @throws GnnError SPEC_INVALID when there is no such type
 */
export function askedDirection(recommendTo: string | null, groups: NodeGroups | null): AskedFromSource {
  if (recommendTo === null) return () => null;
  const type = typeNamed(recommendTo, groups);
  const gets = (node: number) => groups?.typeOf(node) === type;
  return (src, dst) => (gets(src) === gets(dst) ? null : gets(src));
}
