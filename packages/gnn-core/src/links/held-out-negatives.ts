import { GnnError } from "../errors/gnn-error.ts";
import { keyedHash } from "../random/keyed-order.ts";
import { checkPairs, type NodePairs } from "./node-pairs.ts";
import type { PairIndex } from "./pair-index.ts";

/** Pairs that count as no links where val and test are judged */
export interface HeldOutNegatives {
  readonly val: NodePairs;
  readonly test: NodePairs;
}

export interface NegativeCounts {
  readonly val: number;
  readonly test: number;
  /** The split's own, not that of a training run: runs of several seeds are judged by the same pairs */
  readonly seed: number;
}

/**
 * Draws pairs uniformly among those that are no link of the whole graph, held-out links included: all distinct, val and
 * test disjoint, no node with itself. Of an undirected graph a pair and its reverse are one. The i-th pair depends on
 * the seed and the pairs before it alone.
 *
 * @throws GnnError SPEC_INVALID when the graph has not twice as many pairs without a link as are asked for
 */
export function drawHeldOutNegatives(known: PairIndex, directed: boolean, counts: NegativeCounts): HeldOutNegatives {
  const wanted = counts.val + counts.test;
  checkRoom(known, directed, wanted);
  const seen = new DistinctPairs(directed);
  const src = new Int32Array(wanted);
  const dst = new Int32Array(wanted);
  let found = 0;
  for (let attempt = 0; found < wanted; attempt++) {
    const [from, to] = [0, 1].map((end) => drawNode(known.numNodes, counts.seed, attempt, end)) as [number, number];
    if (from === to || known.has(from, to) || !seen.add(from, to)) continue;
    src[found] = from;
    dst[found] = to;
    found += 1;
  }
  const cut = (first: number, end: number) => ({ src: src.slice(first, end), dst: dst.slice(first, end) });
  return { val: cut(0, counts.val), test: cut(counts.val, wanted) };
}

/**
 * Negatives from a file are what they say: no link, no node with itself, none twice, none in both sides.
 *
 * @throws GnnError DATASET_NODE_UNKNOWN, DATASET_VALUE_INVALID (a link), DATASET_DUPLICATE, each with its row
 */
export function checkHeldOutNegatives(negatives: HeldOutNegatives, known: PairIndex, directed: boolean): void {
  const seen = new DistinctPairs(directed);
  for (const side of ["val", "test"] as const) {
    const pairs = negatives[side];
    const what = `The negatives of ${side}`;
    checkPairs(pairs, known.numNodes, what);
    for (let row = 0; row < pairs.src.length; row++) {
      const [from, to] = [pairs.src[row] as number, pairs.dst[row] as number];
      const refuse = (code: "DATASET_VALUE_INVALID" | "DATASET_DUPLICATE", found: string) => {
        throw new GnnError(code, `${what}: row ${row}, ${from} → ${to}, ${found}.`, { place: { line: row + 1 } });
      };
      if (from === to) refuse("DATASET_VALUE_INVALID", "joins a node with itself; expected two nodes");
      if (known.has(from, to)) refuse("DATASET_VALUE_INVALID", "is a link of the graph; expected pairs that are none");
      if (!seen.add(from, to)) refuse("DATASET_DUPLICATE", "was there before; expected each pair once");
    }
  }
}

/** The node that a key draws; all nodes are equally likely. */
export function drawNode(numNodes: number, ...key: readonly number[]): number {
  return Math.floor((keyedHash(...key) / 2 ** 32) * numNodes);
}

function checkRoom({ numNodes, numEntries }: PairIndex, directed: boolean, wanted: number): void {
  // An undirected link stands with both ends; loops make this a few too low, which does no harm.
  const [pairs, links] = directed ? [1, numEntries] : [2, Math.ceil(numEntries / 2)];
  const room = (numNodes * (numNodes - 1)) / pairs - links;
  if (wanted * 2 <= room || wanted === 0) return;
  const found = `${wanted} negatives are asked for, and ${Math.max(0, room)} pairs of nodes have no link`;
  throw new GnnError("SPEC_INVALID", `${found}; expected twice as many pairs at least. Ask for fewer, or give them.`);
}

class DistinctPairs {
  readonly #directed: boolean;
  readonly #seen = new Map<number, Set<number>>();

  constructor(directed: boolean) {
    this.#directed = directed;
  }

  /** @returns whether the pair is new */
  add(from: number, to: number): boolean {
    const turned = !this.#directed && from > to;
    const [a, b] = turned ? [to, from] : [from, to];
    const others = this.#seen.get(a) ?? new Set<number>();
    this.#seen.set(a, others);
    if (others.has(b)) return false;
    others.add(b);
    return true;
  }
}
