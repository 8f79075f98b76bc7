import { numCodesOf, turnedRelation } from "../graph/turned-relation.ts";
import { type AskedFromSource, askedDirection } from "./asked-direction.ts";
import type { NodePairs } from "./node-pairs.ts";
import type { LinkSplit } from "./split-links.ts";

/** What is asked of training links: which targets a source has by a relation, all of them at once. */
export interface TrainingQueries {
  /** The source of each query, the first of its targets, and its relation where links are told apart by theirs */
  readonly pairs: NodePairs;
  /** The targets of query i are targets[starts[i]] … targets[starts[i + 1] − 1], ascending, of one type */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

type AskedSplit = Pick<LinkSplit, "train" | "seen" | "groups" | "directed" | "numRelations">;

/**
 * Every (source, relation) that training links have, each once, in the order of the links; so is every one that is
 * turned around, where links are turned around in training (`linkBatches`). Targets of several types are queries apart.
 * Memory: 16 bytes per query and 4 per target.
 *
 * @param recommendTo the type whose nodes get lists, and alone ask where a link joins them with others; null: both ends
 */
export function trainingQueries(split: AskedSplit, recommendTo: string | null = null): TrainingQueries {
  const { seen, groups, numRelations } = split;
  const numCodes = numRelations === null ? 1 : numCodesOf({ ...split, numRelations });
  const numTypes = groups?.numTypes ?? 1;
  const asked = new Set<number>();
  const [src, dst, relations, starts, targets]: number[][] = [[], [], [], [0], []];
  for (const [from, to, relation] of directionsOf(split, askedDirection(recommendTo, groups))) {
    const type = groups?.typeOf(to) ?? 0;
    const key = (from * numCodes + relation) * numTypes + type;
    if (asked.has(key)) continue;
    asked.add(key);
    const begin = targets!.length;
    for (const target of seen.targetsOf(from, relation)) {
      if (!groups || groups.typeOf(target) === type) targets!.push(target);
    }
    src!.push(from);
    dst!.push(targets![begin] as number);
    relations!.push(relation);
    starts!.push(targets!.length);
  }
  return {
    pairs: {
      src: Int32Array.from(src!),
      dst: Int32Array.from(dst!),
      ...(numRelations !== null && { relations: Int32Array.from(relations!) }),
    },
    starts: Int32Array.from(starts!),
    targets: Int32Array.from(targets!),
  };
}

/** Each link, and behind it the one that it is turned around, where both are asked. */
function* directionsOf(
  { train, directed, numRelations }: AskedSplit,
  asksFromSource: AskedFromSource,
): Generator<[number, number, number]> {
  for (const [link, from] of train.src.entries()) {
    const to = train.dst[link] as number;
    const relation = train.relations?.[link] ?? 0;
    const asked = directed ? null : asksFromSource(from, to);
    if (asked !== false) yield [from, to, relation];
    // As `linkBatches`: undirected links that are told apart by relation stand in both directions.
    if (numRelations === null && !directed && asked !== true) yield [to, from, 0];
    if (numRelations !== null && directed) yield [to, from, turnedRelation(relation, numRelations)];
  }
}
