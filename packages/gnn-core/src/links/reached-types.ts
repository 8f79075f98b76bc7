import type { NodeGroups } from "./node-groups.ts";
import type { NodePairs } from "./node-pairs.ts";

/** That relations lead from nodes of one type to nodes of another. */
export interface ReachedType {
  /** Types, by `NodeGroups` */
  readonly source: number;
  readonly target: number;
  /** Ascending; all 0 where edges are alike */
  readonly relations: readonly number[];
}

/**
 * Which types the stored edges lead to from each type, by source, then target.
 *
 *   paper –written_by→ author, author –rev_written_by→ paper: { paper, author, [0] } and { author, paper, [1] }
 *
 * @param relationOf int32 [edges], the relation of every edge; null: they are all alike
 */
export function reachedTypes(
  { src, dst }: NodePairs,
  groups: NodeGroups,
  relationOf: Int32Array | null,
): ReachedType[] {
  const found = new Map<number, Set<number>>();
  for (const [edge, from] of src.entries()) {
    const between = groups.typeOf(from) * groups.numTypes + groups.typeOf(dst[edge] as number);
    const relations = found.get(between) ?? new Set();
    found.set(between, relations.add(relationOf?.[edge] ?? 0));
  }
  const ascending = (values: Iterable<number>) => [...values].toSorted((a, b) => a - b);
  return ascending(found.keys()).map((between) => ({
    source: Math.floor(between / groups.numTypes),
    target: between % groups.numTypes,
    relations: ascending(found.get(between) ?? []),
  }));
}
