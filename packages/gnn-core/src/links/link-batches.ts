import { turnedRelation } from "../graph/turned-relation.ts";
import { concatInt32 } from "../io/concat-arrays.ts";
import { keyedHash } from "../random/keyed-order.ts";
import type { EdgeBatch } from "../sampling/edge-loader.ts";
import { epochOrder, globalBatches } from "../sampling/seed-split.ts";
import type { AskedFromSource } from "./asked-direction.ts";
import type { NegativeSampler } from "./negatives/negative-sampler.ts";
import type { SharedNegatives, SharedNodes } from "./negatives/shared.ts";
import { type NodePairs, pairsBetween, takePairs } from "./node-pairs.ts";

export interface LinkEpoch {
  /** The links to learn from */
  readonly train: NodePairs;
  readonly directed: boolean;
  /** `LinkSplit.numRelations`. Left out or null: links are all alike */
  readonly numRelations?: number | null;
  /** When each of them came to be, where the sampler draws from before; left out or null: times do not count */
  readonly linkTimes?: Float64Array | null;
  readonly negatives: NegativeSampler;
  /** Nodes that each link of a step is told from, beside `negatives`. Left out or null: there are none */
  readonly shared?: SharedNegatives | null;
  /** Which end links of an undirected graph are asked from. Left out: either, drawn for each link and epoch */
  readonly asksFromSource?: AskedFromSource;
  readonly seed: number;
  readonly epoch: number;
  /** All nodes are seeds of every step, and not the ends of its pairs alone. Left out: they are not */
  readonly seedsAll?: boolean;
  /** Links of a step, over all ranks */
  readonly batchSize: number;
  readonly rank: number;
  readonly worldSize: number;
}

/** One rank's pairs in one step: its links, and behind them the negatives of the first, of the second … */
export interface LinkBatch extends EdgeBatch {
  readonly numLinks: number;
  /** What its links are told from, all of them alike; their nodes are seeds, too. Left out: nothing is */
  readonly shared?: SharedNodes;
}

const salt = 0x7475726e;

/**
 * The steps of an epoch: every training link once, in an order that depends on the seed and the epoch. Rank r of k
 * scores the links [⌊r·n/k⌋, ⌊(r+1)·n/k⌋) of a step and draws their negatives; no link of the step carries a message on
 * any rank. Links of an undirected graph are turned around at random, so that either end may be the one replaced,
 * unless `asksFromSource` names it; so are those of a directed one that are told apart by relation, with the relation
 * that is turned around.
 */
export function* linkBatches(options: LinkEpoch): Generator<LinkBatch, void, undefined> {
  const { train, linkTimes = null, negatives, shared, seed, epoch, rank, worldSize, seedsAll = false } = options;
  const order = epochOrder(Int32Array.from(train.src.keys()), seed, epoch);
  for (const [step, ids] of globalBatches(order, options.batchSize).entries()) {
    const links = turned(options, takePairs(train, ids), ids);
    const first = Math.floor((rank * ids.length) / worldSize);
    const end = Math.floor(((rank + 1) * ids.length) / worldSize);
    const drawn = negatives.draw({ links, ids, first, end, epoch, step });
    const pairs = beside(pairsBetween(links, first, end), drawn, negatives.perLink);
    const at = linkTimes && timesOfPairs(linkTimes, ids.subarray(first, end), negatives.perLink);
    const alike = shared?.draw({ links, epoch, step });
    const besides = { ...(at && { times: at }), ...(alike && { shared: alike, others: alike.nodes }) };
    yield { pairs, without: links, seedsAll, ...besides, numLinks: end - first, epoch, step };
  }
}

/** The time of each link, and behind them that of the link that each negative stands beside. */
function timesOfPairs(times: Float64Array, ids: Int32Array, perLink: number): Float64Array {
  const at = new Float64Array(ids.length * (1 + perLink));
  for (const [i, id] of ids.entries()) {
    const time = times[id] as number;
    at[i] = time;
    at.fill(time, ids.length + i * perLink, ids.length + (i + 1) * perLink);
  }
  return at;
}

/** Links of a rank and behind them their negatives, each with the relation of its link. */
function beside(links: NodePairs, drawn: NodePairs, perLink: number): NodePairs {
  const { relations } = links;
  const ofDrawn = relations && drawn.src.map((_, i) => relations[Math.floor(i / perLink)] as number);
  return {
    src: concatInt32([links.src, drawn.src]),
    dst: concatInt32([links.dst, drawn.dst]),
    ...(relations && ofDrawn && { relations: concatInt32([relations, ofDrawn]) }),
  };
}

function turned({ directed, numRelations, asksFromSource, seed, epoch }: LinkEpoch, links: NodePairs, ids: Int32Array) {
  const { src, dst, relations } = links;
  const isEach = relations !== undefined && typeof numRelations === "number";
  // With relations links of an undirected graph stand in both directions.
  if (directed !== isEach) return links;
  const atRandom = (place: number) => (keyedHash(salt, seed, epoch, ids[place] as number) & 1) === 1;
  const isTurned = (place: number) => {
    const asked = directed ? null : asksFromSource?.(src[place] as number, dst[place] as number);
    return asked == null ? atRandom(place) : !asked;
  };
  const ends = (one: Int32Array, other: Int32Array) =>
    one.map((node, place) => (isTurned(place) ? (other[place] as number) : node));
  const ofPlaces = isEach && {
    relations: relations.map((relation, place) =>
      isTurned(place) ? turnedRelation(relation, numRelations) : relation,
    ),
  };
  return { src: ends(src, dst), dst: ends(dst, src), ...ofPlaces };
}
