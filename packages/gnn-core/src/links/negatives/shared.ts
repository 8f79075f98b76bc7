import { keyedHash } from "../../random/keyed-order.ts";
import type { NodeGroups } from "../node-groups.ts";
import type { NodePairs } from "../node-pairs.ts";

const salt = 0x73686172;

/** Nodes that a step's links are told from: those of a type for each link that ends in the type. */
export interface SharedNodes {
  /** The sets of all types, one after the other */
  readonly nodes: Int32Array;
  /** Each type that a link ends in, and which of `nodes` are its own: [begin, end) */
  readonly sets: readonly { readonly type: number; readonly begin: number; readonly end: number }[];
}

/** The links of one step, all ranks' together */
interface SharedStep {
  readonly links: NodePairs;
  readonly epoch: number;
  readonly step: number;
}

/** Draws one set of nodes for all links of a step, by the seed, the epoch and the step: all ranks draw the same. */
export interface SharedNegatives {
  /** Nodes of a type that a link is told from: fewer where the type has fewer */
  readonly perLink: number;
  draw(step: SharedStep): SharedNodes;
}

export interface SharedOptions {
  readonly perLink: number;
  readonly seed: number;
  readonly numNodes: number;
  /** `LinkSplit.groups`: a link is told from nodes of its target's type. Left out or null: nodes are all alike */
  readonly groups?: NodeGroups | null;
}

/**
 * `perLink` distinct nodes of each type that links of the step end in, any node alike; all of a type that has no more.
 * One product scores all of a step's links with them (`sharedLoss`), where negatives of each link would have a row
 * gathered for each pair. Wu et al. 2022 (arXiv:2201.02327), section 3, of negatives that a batch shares.
 */
export function sharedTails({ perLink, seed, numNodes, groups = null }: SharedOptions): SharedNegatives {
  return {
    perLink,
    draw: ({ links, epoch, step }) => {
      const types = groups ? [...new Set(links.dst.map((node) => groups.typeOf(node)))].toSorted((a, b) => a - b) : [0];
      const sets = types.map((type) => ({
        type,
        nodes: distinctNodes(groups?.nodesOf(type) ?? numNodes, perLink, [seed, salt, epoch, step, type]),
      }));
      let end = 0;
      return {
        nodes: Int32Array.from(sets.flatMap(({ nodes }) => [...nodes])),
        sets: sets.map(({ type, nodes }) => ({ type, begin: end, end: (end += nodes.length) })),
      };
    },
  };
}

/** So many distinct nodes of a pool, ascending; all of it where it has no more. */
function distinctNodes(pool: Int32Array | number, count: number, key: readonly number[]): Int32Array {
  const size = typeof pool === "number" ? pool : pool.length;
  const nodeAt = (place: number) => (typeof pool === "number" ? place : (pool[place] as number));
  if (count >= size) return Int32Array.from({ length: size }, (_, place) => nodeAt(place));
  // What is left out is drawn where that is less: a draw hits something new at least every other time.
  const drawn = new Set<number>();
  const isLess = 2 * count <= size;
  const wanted = isLess ? count : size - count;
  for (let attempt = 0; drawn.size < wanted; attempt++) {
    drawn.add(Math.floor((keyedHash(...key, attempt) / 2 ** 32) * size));
  }
  const places = isLess
    ? Int32Array.from(drawn).toSorted()
    : Int32Array.from({ length: size }, (_, place) => place).filter((place) => !drawn.has(place));
  return places.map(nodeAt);
}
