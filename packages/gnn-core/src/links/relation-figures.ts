import { createHash } from "node:crypto";
import { type PairFigures, pairFigures } from "./pair-figures.ts";

/** The held-out links of one side, as they were scored */
export interface ScoredLinks {
  /** float32 [links] */
  readonly positives: Float32Array;
  /** float32 [links · perLink]: pairs [i · perLink, (i + 1) · perLink) were drawn for link i; or of `relationAt` */
  readonly negatives: Float32Array;
  /** The relation of each negative, however many it has. Left out: negatives were drawn for each link */
  readonly relationAt?: Int32Array;
  /** Relations that join the ends of a link */
  readonly relationsOf: (link: number) => readonly number[];
}

/** How well the links of a relation are told apart from the pairs that were drawn for them */
export interface RelationFigures {
  /** Several where they join the same pairs of nodes, such as a relation and its reverse */
  readonly relations: readonly number[];
  /** Held-out links of each side */
  readonly counts: readonly number[];
  readonly figures: readonly PairFigures[];
}

/**
 * `pairFigures` of each relation, on each side: of its links among the negatives drawn for these alone, or those of the
 * relation. A link that several relations have counts in each.
 *
 * @param ks as for `pairFigures`
 * @returns by the first of their relations
 */
export function relationFigures(sides: readonly ScoredLinks[], ks: readonly number[] = []): RelationFigures[] {
  const linksBySide = sides.map(linksByRelation);
  const relations = new Set(linksBySide.flatMap((links) => [...links.keys()]));
  const groups = new Map<string, number[]>();
  for (const relation of [...relations].toSorted((a, b) => a - b)) {
    const key = digestOf(linksBySide.map((links) => links.get(relation) ?? []));
    const alike = groups.get(key);
    if (alike) alike.push(relation);
    else groups.set(key, [relation]);
  }
  return [...groups.values()].map((alike) => {
    const links = linksBySide.map((bySide) => bySide.get(alike[0] as number) ?? []);
    return {
      relations: alike,
      counts: links.map(({ length }) => length),
      figures: links.map((some, side) => figuresOf(sides[side] as ScoredLinks, some, alike, ks)),
    };
  });
}

function linksByRelation({ positives, relationsOf }: ScoredLinks): Map<number, number[]> {
  const links = new Map<number, number[]>();
  for (const link of positives.keys()) {
    for (const relation of relationsOf(link)) {
      const known = links.get(relation);
      if (known) known.push(link);
      else links.set(relation, [link]);
    }
  }
  return links;
}

/** Names the links of a relation on all sides, however many there are. */
function digestOf(bySide: readonly (readonly number[])[]): string {
  const hash = createHash("sha256");
  for (const links of bySide) hash.update(Int32Array.of(links.length)).update(Int32Array.from(links));
  return hash.digest("hex");
}

function figuresOf(
  { positives, negatives, relationAt }: ScoredLinks,
  links: readonly number[],
  relations: readonly number[],
  ks: readonly number[],
) {
  const found = Float32Array.from(links, (link) => positives[link] as number);
  if (relationAt) {
    return pairFigures(
      found,
      negatives.filter((_, i) => relations.includes(relationAt[i] as number)),
      ks,
    );
  }
  const perLink = positives.length === 0 ? 0 : negatives.length / positives.length;
  const others = new Float32Array(links.length * perLink);
  for (const [i, link] of links.entries()) {
    others.set(negatives.subarray(link * perLink, (link + 1) * perLink), i * perLink);
  }
  return pairFigures(found, others, ks);
}
