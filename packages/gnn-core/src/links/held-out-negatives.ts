import { GnnError } from "../errors/gnn-error.ts";
import { DistinctPairs } from "../graph/distinct-pairs.ts";
import { concatInt32 } from "../io/concat-arrays.ts";
import { drawLike, type NodePool } from "./draw-node.ts";
import type { KnownPairs } from "./known-pairs.ts";
import { checkPairs, type NodePairs, takePairs } from "./node-pairs.ts";
import { pairsLeftObjection } from "./pairs-left.ts";

/** Pairs that count as no links where val and test are judged */
export interface HeldOutNegatives {
  readonly val: NodePairs;
  readonly test: NodePairs;
}

export interface DrawnNegatives {
  /** The held-out links, each of which gets `perLink` pairs */
  readonly val: NodePairs;
  readonly test: NodePairs;
  readonly perLink: number;
  /** The split's own, not that of a training run: runs of several seeds are judged by the same pairs */
  readonly seed: number;
}

/**
 * Draws pairs uniformly among those that are no link of the whole graph, held-out links included, and whose ends are of
 * the types of a held-out link's: pairs [i · perLink, (i + 1) · perLink) of a side are those of its i-th link. All are
 * distinct, val and test disjoint, no node with itself. Of an undirected graph a pair and its reverse are one. Each
 * pair depends on the seed, the pairs before it and the types of its link alone.
 *
 * Where some relation joins nearly every two nodes, as in small graphs of many relations, a pair has no link of the
 * relation of its own, and may have others.
 *
 * @param all links of the graph, and the same by relation where links are told apart by them
 * @param pool the nodes, with their types where they have several
 * @throws GnnError SPEC_INVALID unless there are twice as many such pairs without a link as are asked for
 */
export function drawHeldOutNegatives(
  all: { readonly pairs: KnownPairs; readonly triples: KnownPairs | null },
  directed: boolean,
  pool: NodePool,
  drawn: DrawnNegatives,
): HeldOutNegatives {
  const links = joined(drawn);
  const { perLink } = drawn;
  const tooFew = pairsLeftObjection(all.pairs, directed, pool.groups, { links, perLink });
  if (tooFew === null) return drawFrom(all.pairs, directed, pool, { ...links, relations: null }, drawn);
  const { relations } = links;
  if (!all.triples || !relations) throw new GnnError("SPEC_INVALID", tooFew);
  for (const relation of new Set(relations)) {
    const rows = Int32Array.from(relations.keys()).filter((row) => relations[row] === relation);
    const asked = { links: takePairs(links, rows), perLink };
    const found = pairsLeftObjection(all.triples, true, pool.groups, asked, relation);
    if (found !== null) throw new GnnError("SPEC_INVALID", found);
  }
  return drawFrom(all.triples, true, pool, { ...links, relations }, drawn);
}

function joined({ val, test }: Pick<DrawnNegatives, "val" | "test">): NodePairs {
  const both = val.relations && test.relations;
  return {
    src: concatInt32([val.src, test.src]),
    dst: concatInt32([val.dst, test.dst]),
    ...(both && { relations: concatInt32([val.relations, test.relations]) }),
  };
}

interface LinksBeside {
  readonly src: Int32Array;
  readonly dst: Int32Array;
  /** null: a pair has no link of any */
  readonly relations: Int32Array | null;
}

function drawFrom(
  known: KnownPairs,
  directed: boolean,
  pool: NodePool,
  links: LinksBeside,
  { val, perLink, seed }: DrawnNegatives,
): HeldOutNegatives {
  const wanted = perLink * links.src.length;
  const seen = new Map<number, DistinctPairs>();
  const seenOf = (relation: number) => {
    const found = seen.get(relation) ?? new DistinctPairs(directed);
    seen.set(relation, found);
    return found;
  };
  const src = new Int32Array(wanted);
  const dst = new Int32Array(wanted);
  let found = 0;
  for (let attempt = 0; found < wanted; attempt++) {
    const link = Math.floor(found / perLink);
    const from = drawLike(links.src[link] as number, pool, seed, attempt, 0);
    const to = drawLike(links.dst[link] as number, pool, seed, attempt, 1);
    const relation = links.relations?.[link];
    if (from === to || known.has(from, to, relation) || !seenOf(relation ?? 0).add(from, to)) continue;
    src[found] = from;
    dst[found] = to;
    found += 1;
  }
  const cut = (first: number, end: number) => ({ src: src.slice(first, end), dst: dst.slice(first, end) });
  const numVal = perLink * val.src.length;
  return { val: cut(0, numVal), test: cut(numVal, wanted) };
}

/**
 * Negatives from a file are what they say: no link, no node with itself, none twice, none in both sides. Where they
 * have relations they are no links of these.
 *
 * @param known all links, by relation where negatives have some
 * @throws GnnError DATASET_NODE_UNKNOWN, DATASET_VALUE_INVALID (a link), DATASET_DUPLICATE, each with its row
 */
export function checkHeldOutNegatives(negatives: HeldOutNegatives, known: KnownPairs, directed: boolean): void {
  const seen = new Map<number, DistinctPairs>();
  for (const side of ["val", "test"] as const) {
    const pairs = negatives[side];
    const what = `The negatives of ${side}`;
    checkPairs(pairs, known.numNodes, what);
    for (let row = 0; row < pairs.src.length; row++) {
      const [from, to, relation] = [pairs.src[row] as number, pairs.dst[row] as number, pairs.relations?.[row]];
      // A link of a relation may lead back by another one, so that a pair and its reverse are two.
      const before = seen.get(relation ?? 0) ?? new DistinctPairs(directed || relation !== undefined);
      seen.set(relation ?? 0, before);
      const refuse = (code: "DATASET_VALUE_INVALID" | "DATASET_DUPLICATE", found: string) => {
        throw new GnnError(code, `${what}: row ${row}, ${from} → ${to}, ${found}.`, { place: { line: row + 1 } });
      };
      if (from === to) refuse("DATASET_VALUE_INVALID", "joins a node with itself; expected two nodes");
      if (known.has(from, to, relation))
        refuse("DATASET_VALUE_INVALID", "is a link of the graph; expected pairs that are none");
      if (!before.add(from, to)) refuse("DATASET_DUPLICATE", "was there before; expected each pair once");
    }
  }
}
