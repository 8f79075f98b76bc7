import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { WalkKey } from "../dist-store/dist-graph.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";

export interface WalkOptions {
  /** Steps of a walk, from 1 on */
  readonly length: number;
  /** Walks from each node, from 1 on */
  readonly perNode: number;
  /** A step back weighs 1/p. Default 1 */
  readonly p?: number;
  /** A step to a node that is no neighbour of the one before weighs 1/q. Default 1 */
  readonly q?: number;
}

/** What walks are a function of, beside their first nodes; those of a `DistGraph` have a key of the same kind */
export type WalksKey = Pick<WalkKey, "seed" | "epoch">;

/**
 * Random walks of second order, against the direction of edges: each step goes to an in-neighbour. From t over v to x
 * a step weighs w_vx · α with α = 1/p for x = t, 1 for neighbours of t, 1/q for all others; w_vx is the weight of the
 * edge x → v, 1 where the graph has none. With p = q = 1 these are DeepWalk's (Perozzi et al. 2014, arXiv:1403.6652),
 * else node2vec's (Grover and Leskovec 2016, arXiv:1607.00653). Types of edges are not told apart.
 *
 * A walk is a function of (seed, epoch, its number, its first node): the same on any number of ranks and threads.
 *
 * @param starts GlobalIds, int32 [n]
 * @returns int32 [n · perNode, length + 1], node by node; −1 behind a node without in-edges
 * @throws GnnError SPEC_INVALID for options out of range, or where ranks hold parts of the graph; SHAPE_MISMATCH for a
 * node outside the graph
 */
export async function randomWalks(
  graph: CscGraph,
  starts: Int32Array,
  options: WalkOptions,
  { seed, epoch }: WalksKey,
): Promise<Int32Array> {
  const { length, perNode, p, q } = checkedWalks(graph, options);
  return native(() => loadAddon().randomWalks(nativeGraph(graph), starts, length, perNode, p, q, seed, epoch));
}

/** Rejection draws as often as the least likely step asks for, so that p and q are bounded. */
export const walkBias = { min: 0.01, max: 100 } as const;

/** @throws GnnError SPEC_INVALID */
export function checkedWalks(
  graph: Pick<CscGraph, "remote">,
  { length, perNode, p = 1, q = 1 }: WalkOptions,
): Required<WalkOptions> {
  const refuse = (found: string) => new GnnError("SPEC_INVALID", `Random walks: ${found}.`);
  if (graph.remote) throw refuse("they go over the whole graph, and here is a part of it; use DistGraph.randomWalks");
  for (const [name, value] of Object.entries({ length, perNode })) {
    if (!Number.isSafeInteger(value) || value < 1 || value >= 2 ** 31) {
      throw refuse(`${name} is ${value}; expected a whole number from 1 on`);
    }
  }
  for (const [name, value] of Object.entries({ p, q })) {
    if (!(value >= walkBias.min && value <= walkBias.max)) {
      throw refuse(`${name} is ${value}; expected ${walkBias.min} to ${walkBias.max}`);
    }
  }
  return { length, perNode, p, q };
}
