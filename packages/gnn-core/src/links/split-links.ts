import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph, NodeTypes } from "../graph/csc-graph.ts";
import { graphFromEdges } from "../graph/graph-from-edges.ts";
import { type LinksOfRows, linksOfRows, triplesOfRows } from "../graph/links-of-rows.ts";
import { PairIndex } from "../graph/pair-index.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { timedEdges } from "../graph/timed-edges.ts";
import { TripleIndex } from "../graph/triple-index.ts";
import { keyedHash } from "../random/keyed-order.ts";
import { checkHeldOutNegatives, drawHeldOutNegatives, type HeldOutNegatives } from "./held-out-negatives.ts";
import type { KnownPairs } from "./known-pairs.ts";
import { bornOf, type LinkSides, sidesOf } from "./link-sides.ts";
import type { LinkTimes } from "./link-times.ts";
import { NodeGroups } from "./node-groups.ts";
import { checkPairs, type NodePairs, takePairs } from "./node-pairs.ts";

/** Every edge of a graph, a row each; with a relation of each row, links are told apart by them. */
export interface LinkEdges extends NodePairs {
  readonly numNodes: number;
  /** false: 0→1 and 1→0 are one link, and messages go both ways */
  readonly directed: boolean;
  readonly weights?: Float32Array | null;
  /** Negatives have ends of the types of a link's; left out or null: nodes are all alike */
  readonly nodeTypes?: Pick<NodeTypes, "codes" | "names"> | null;
  /**
   * Relations of the graph, of which `relations` has one for every row; rows of an undirected graph then stand in both
   * directions. Default: 1 more than the highest of them
   */
  readonly numRelations?: number;
}

export interface LinkSplitOptions {
  readonly sides: LinkSides;
  /**
   * Share of the training links that are learnt from and carry no message; the others carry messages and are not learnt
   * from. null: each does both, though never in the same step. Default null
   */
  readonly disjoint?: { readonly share: number; readonly seed: number } | null;
  /** Fixed pairs, or how many to draw for each held-out link, and their seed */
  readonly negatives: HeldOutNegatives | { readonly perLink: number; readonly seed: number };
}

/** Links that are judged, and the pairs beside them that are none */
export interface HeldOutLinks {
  readonly positives: NodePairs;
  readonly negatives: NodePairs;
}

/** A graph cut for link prediction. */
export interface LinkSplit {
  readonly numNodes: number;
  readonly directed: boolean;
  /** The nodes by type; null: they are all alike */
  readonly groups: NodeGroups | null;
  /** Relations that links are told apart by: pairs have one each. null: links are all alike */
  readonly numRelations: number | null;
  /** What messages go along: training links alone. No held-out link is in it, in neither direction. */
  readonly graph: CscGraph;
  /** The links to learn from */
  readonly train: NodePairs;
  readonly val: HeldOutLinks;
  readonly test: HeldOutLinks;
  /** When messages and training links came to be; null: the split is not by time */
  readonly times: LinkTimes | null;
  /** Training links, whether they carry messages or are learnt from: what training may know to be no negatives */
  readonly seen: KnownPairs;
  /** All links: what filtered ranks leave out */
  readonly known: KnownPairs;
}

/** What becomes of the edges: rows of them, and pairs. */
export interface LinkCut extends Pick<LinkSplit, "groups" | "numRelations" | "train" | "val" | "test" | "known"> {
  /** Rows that carry messages, ascending */
  readonly messageRows: Int32Array;
  /** Rows of the training links, whatever they are for, ascending */
  readonly trainRows: Int32Array;
  /** Times of the rows of `messageRows` and of the links of `train`; null: the split is not by time */
  readonly rowTimes: { readonly messages: Float64Array; readonly train: Float64Array } | null;
}

/**
 * Cuts edges into messages, links to learn from, and links to be judged by. The unit is the link: all rows that join
 * two nodes, in either direction, go to one side. So a held-out link carries no message, nor does its reverse or a
 * repetition of it: there is no option under which they could. Of a split by time, rows that are as new as what is held
 * out carry none either, though they repeat an old link or turn it around. A column may part the relations of a link
 * where rows have relations: published splits of knowledge graphs do.
 *
 * @throws GnnError what `sidesOf` and `checkHeldOutNegatives` throw; SPEC_INVALID for a bad share or count
 */
export async function cutLinks(edges: LinkEdges, options: LinkSplitOptions): Promise<LinkCut> {
  const { numNodes, directed } = edges;
  checkPairs(edges, numNodes, "The edges");
  const numRelations = relationsOf(edges);
  const { relations } = edges;
  const links = await (relations && options.sides.type === "column"
    ? triplesOfRows({ ...edges, relations }, numNodes)
    : linksOfRows(edges, numNodes));
  const side = sidesOf(links, options.sides);
  const rowsOf = (isWanted: (link: number) => boolean) =>
    Int32Array.from(edges.src.keys()).filter((row) => isWanted(links.linkOf[row] as number));
  const isOn = (code: number) => (link: number) => side[link] === code;
  const supervises = supervising(links, options.disjoint ?? null);
  const pairsOf = async (isWanted: (link: number) => boolean) =>
    takePairs(edges, await distinctRows(edges, rowsOf(isWanted)));
  const isTrain = isOn(splitCode.train);
  const learntRows = await distinctRows(
    edges,
    rowsOf((link) => isTrain(link) && supervises(link) !== "messages"),
  );
  const [val, test] = [await pairsOf(isOn(splitCode.val)), await pairsOf(isOn(splitCode.test))];
  const pairs = await PairIndex.of(edges, numNodes, directed);
  const groups = edges.nodeTypes ? NodeGroups.of(edges.nodeTypes) : null;
  const known = numRelations === null ? pairs : await TripleIndex.of(edges, { numNodes, numRelations, directed });
  const negatives = negativesOf(options.negatives, { pairs, known }, { directed, groups, val, test });
  const past = pastOf(links, options.sides, side);
  const messageRows = rowsOf((link) => isTrain(link) && supervises(link) !== "loss").filter((row) => past.has(row));
  return {
    groups,
    numRelations,
    messageRows,
    trainRows: rowsOf(isTrain),
    rowTimes: past.timesOf(messageRows, learntRows),
    train: takePairs(edges, learntRows),
    val: { positives: val, negatives: likeTheirLinks(negatives.val, val) },
    test: { positives: test, negatives: likeTheirLinks(negatives.test, test) },
    known,
  };
}

/** How many relations links are told apart by; null: they are all alike. */
function relationsOf({ relations, numRelations }: LinkEdges): number | null {
  if (!relations) return null;
  return numRelations ?? relations.reduce((most, relation) => Math.max(most, relation + 1), 1);
}

/** Pairs beside links, as many for each, with the relation of the link that they stand beside. */
function likeTheirLinks(negatives: NodePairs, { src, relations }: NodePairs): NodePairs {
  if (!relations || negatives.relations) return negatives;
  const perLink = src.length === 0 ? 0 : negatives.src.length / src.length;
  if (Number.isInteger(perLink)) {
    return { ...negatives, relations: negatives.src.map((_, i) => relations[Math.floor(i / perLink)] as number) };
  }
  const message = `${negatives.src.length} negatives stand beside ${src.length} links; expected as many for each, or a relation of each.`;
  throw new GnnError("SHAPE_MISMATCH", message);
}

/**
 * `cutLinks`, with the graph that messages go along.
 *
 * @throws GnnError those of `cutLinks`
 */
export async function splitLinks(edges: LinkEdges, options: LinkSplitOptions): Promise<LinkSplit> {
  const { numNodes, directed } = edges;
  const { messageRows, trainRows, rowTimes, ...cut } = await cutLinks(edges, options);
  const messages = takePairs(edges, messageRows);
  const training = takePairs(edges, trainRows);
  return {
    numNodes,
    directed,
    graph: await messageGraphOf(edges, messageRows),
    times: rowTimes && {
      train: rowTimes.train,
      messages: timedEdges({ ...messages, times: rowTimes.messages, numNodes, directed }),
    },
    seen: await (cut.numRelations === null
      ? PairIndex.of(training, numNodes, directed)
      : TripleIndex.of(training, { numNodes, numRelations: cut.numRelations, directed })),
    ...cut,
  };
}

/** Which rows are older than all links held out, and when rows and their links came to be. */
function pastOf(links: LinksOfRows, sides: LinkSides, side: Int8Array) {
  if (sides.type !== "time") return { has: () => true, timesOf: () => null };
  const { times } = sides;
  const born = bornOf(links, times);
  const end = born.reduce(
    (first, time, link) => (side[link] === splitCode.train ? first : Math.min(first, time)),
    Number.POSITIVE_INFINITY,
  );
  return {
    has: (row: number) => (times[row] as number) < end,
    timesOf: (messages: Int32Array, train: Int32Array) => ({
      messages: Float64Array.from(messages, (row) => times[row] as number),
      train: Float64Array.from(train, (row) => born[links.linkOf[row] as number] as number),
    }),
  };
}

/** What a training link is for; its place depends on the seed and the ids of its ends alone. */
function supervising(
  { low, high }: LinksOfRows,
  disjoint: { readonly share: number; readonly seed: number } | null,
): (link: number) => "both" | "loss" | "messages" {
  if (!disjoint) return () => "both";
  const { share, seed } = disjoint;
  if (!(share > 0 && share < 1)) {
    throw new GnnError(
      "SPEC_INVALID",
      `A share of ${share} of the training links is to be learnt from; expected between 0 and 1.`,
    );
  }
  const salt = 0x64697370;
  return (link) => {
    const drawn = keyedHash(seed, salt, low[link] as number, high[link] as number) / 2 ** 32;
    return drawn < share ? "loss" : "messages";
  };
}

/**
 * The rows that name a pair first, in their order; of an undirected graph either order counts as the same. Where pairs
 * have relations, those that name a triple first.
 */
async function distinctRows(edges: LinkEdges, rows: Int32Array): Promise<Int32Array> {
  const pairs = takePairs(edges, rows);
  const { relations } = pairs;
  if (relations) {
    const { linkOf, numLinks } = await triplesOfRows({ ...pairs, relations }, edges.numNodes);
    const seen = new Uint8Array(numLinks);
    return rows.filter((_row, at) => {
      const triple = linkOf[at] as number;
      const isNew = seen[triple] === 0;
      seen[triple] = 1;
      return isNew;
    });
  }
  const { linkOf, numLinks } = await linksOfRows(pairs, edges.numNodes);
  const seen = new Uint8Array(2 * numLinks);
  return rows.filter((_row, at) => {
    const isTurned = edges.directed && (pairs.src[at] as number) > (pairs.dst[at] as number);
    const slot = 2 * (linkOf[at] as number) + Number(isTurned);
    const isNew = seen[slot] === 0;
    seen[slot] = 1;
    return isNew;
  });
}

function messageGraphOf(edges: LinkEdges, rows: Int32Array): Promise<CscGraph> {
  const { numNodes, directed, weights } = edges;
  const carried = weights ? { weights: Float32Array.from(rows, (row) => weights[row] as number) } : {};
  return graphFromEdges({ ...takePairs(edges, rows), ...carried, numNodes, directed });
}

function negativesOf(
  asked: LinkSplitOptions["negatives"],
  { pairs, known }: { readonly pairs: PairIndex; readonly known: KnownPairs },
  { directed, groups, val, test }: Pick<LinkSplit, "directed" | "groups"> & HeldOutNegatives,
): HeldOutNegatives {
  if ("perLink" in asked) {
    const { perLink, seed } = asked;
    if (!(Number.isInteger(perLink) && perLink >= 1)) {
      throw new GnnError(
        "SPEC_INVALID",
        `${perLink} negatives for each held-out link were asked for; expected 1 or more.`,
      );
    }
    const all = { pairs, triples: known === pairs ? null : known };
    return drawHeldOutNegatives(all, directed, { numNodes: pairs.numNodes, groups }, { val, test, perLink, seed });
  }
  const haveRelations = asked.val.relations !== undefined && asked.test.relations !== undefined;
  checkHeldOutNegatives(asked, haveRelations ? known : pairs, directed);
  return asked;
}
