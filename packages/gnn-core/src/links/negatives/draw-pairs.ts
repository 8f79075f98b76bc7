import { drawLike } from "../draw-node.ts";
import type { KnownPairs } from "../known-pairs.ts";
import type { NodeGroups } from "../node-groups.ts";
import type { NodePairs } from "../node-pairs.ts";
import type { NegativeSampler, PositiveBatch } from "./negative-sampler.ts";

export interface NegativeOptions {
  readonly perLink: number;
  readonly seed: number;
  /** The training links, which no negative may be */
  readonly seen: KnownPairs;
  /** `LinkSplit.groups`: an end is replaced by a node of its type alone. Left out or null: nodes are all alike */
  readonly groups?: NodeGroups | null;
}

/** One draw: the j-th negative of the link at a place of the batch. */
export interface Draw {
  readonly batch: PositiveBatch;
  readonly place: number;
  readonly j: number;
}

/** Which end is replaced, and by what */
export interface Corruption {
  readonly end: "src" | "dst";
  readonly node: number;
}

const maxAttempts = 16;

/** A sampler that replaces an end of each link by what `corrupt` names. */
export function corrupting(
  { perLink, seed, seen, groups = null }: NegativeOptions,
  corrupt: (draw: Draw, drawn: (end: "src" | "dst") => number, attempt: number) => Corruption,
): NegativeSampler {
  const pool = { numNodes: seen.numNodes, groups };
  const drawOne = (draw: Draw): readonly [number, number] => {
    const { batch, place, j } = draw;
    const [src, dst] = [batch.links.src[place] as number, batch.links.dst[place] as number];
    const id = batch.ids[place] as number;
    let pair: readonly [number, number] = [src, dst];
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const drawn = (end: "src" | "dst") =>
        drawLike(end === "src" ? src : dst, pool, seed, batch.epoch, id, j, attempt);
      const { end, node } = corrupt(draw, drawn, attempt);
      pair = end === "src" ? [node, dst] : [src, node];
      if (pair[0] !== pair[1] && !seen.has(...pair, batch.links.relations?.[place])) break;
    }
    return pair;
  };
  return { perLink, draw: (batch) => drawAll(batch, perLink, drawOne) };
}

/** Replaces the target: by the proposed node, and where that is none to take, by one of its type drawn uniformly. */
export function corruptingTails(options: NegativeOptions, propose: (draw: Draw) => number): NegativeSampler {
  return corrupting(options, (draw, drawn, attempt) => ({
    end: "dst",
    node: attempt === 0 ? propose(draw) : drawn("dst"),
  }));
}

function drawAll(batch: PositiveBatch, perLink: number, drawOne: (draw: Draw) => readonly [number, number]): NodePairs {
  const count = (batch.end - batch.first) * perLink;
  const pairs = { src: new Int32Array(count), dst: new Int32Array(count) };
  for (let row = 0; row < count; row++) {
    const place = batch.first + Math.floor(row / perLink);
    const [src, dst] = drawOne({ batch, place, j: row % perLink });
    pairs.src[row] = src;
    pairs.dst[row] = dst;
  }
  return pairs;
}
