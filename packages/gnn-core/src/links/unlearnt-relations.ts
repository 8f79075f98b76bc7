import type { LinkCut } from "./split-links.ts";

/**
 * Relations with links that are held out and none to learn from: a decoder's weights of them would stay as they were
 * drawn. Ascending; none where links are all alike.
 *
 * @param relationOf the relation of every row of the edges
 */
export function unlearntRelations(
  { val, test, trainRows }: Pick<LinkCut, "val" | "test" | "trainRows">,
  relationOf: Int32Array,
): number[] {
  const learnt = new Set<number>();
  for (const row of trainRows) learnt.add(relationOf[row] as number);
  const asked = new Set([val, test].flatMap(({ positives }) => [...new Set(positives.relations)]));
  return [...asked].filter((relation) => !learnt.has(relation)).toSorted((a, b) => a - b);
}
