import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { checkedWalks, type WalkOptions, type WalksKey } from "./random-walks.ts";

/** What skip-gram with negative sampling learns from. */
export interface WalkPairOptions extends WalkOptions {
  /** Most steps between the two nodes of a pair, from 1 on */
  readonly window: number;
  /** Nodes drawn beside each pair */
  readonly negatives: number;
  /** float64 [numNodes] running sums of what a drawn node weighs (`noiseSums`); null: all weigh the same */
  readonly noise: Float64Array | null;
}

/** Pairs of nodes of some walks: (centre, other), met on a walk or drawn. */
export interface WalkPairs {
  /** The nodes of all pairs, each once, ascending */
  readonly nodes: Int32Array;
  /** The pairs as edges other → centre; both ends are rows of `nodes` */
  readonly block: Block;
  /** float32 [pairs] in the order of the block's edges: 1 met on a walk, 0 drawn */
  readonly targets: Float32Array;
  readonly numPositives: number;
}

/**
 * The pairs of the walks from some nodes: every two nodes at most `window` steps apart, in both orders, and `negatives`
 * drawn nodes beside each. A node is no pair with itself, so that it is left out where a walk returns, and where it is
 * drawn for itself or for the node that was met. Draws are functions of (seed, epoch, number of the walk, its first
 * node). Mikolov et al. 2013 (arXiv:1310.4546), section 2.2.
 *
 * @throws GnnError as `randomWalks`; DATASET_TOO_LARGE when there may be 2³¹ pairs
 */
export async function walkPairs(
  graph: CscGraph,
  starts: Int32Array,
  { window, negatives, noise, ...walks }: WalkPairOptions,
  { seed, epoch }: WalksKey,
): Promise<WalkPairs> {
  const { length, perNode, p, q } = checkedWalks(graph, walks);
  if (!(Number.isSafeInteger(window) && window >= 1 && Number.isSafeInteger(negatives) && negatives >= 0)) {
    const found = `window is ${window} and negatives ${negatives}; expected whole numbers from 1 and from 0 on`;
    throw new GnnError("SPEC_INVALID", `Pairs of random walks: ${found}.`);
  }
  const handle = nativeGraph(graph);
  const { nodes, indptr, indices, targets, numPositives } = await native(() =>
    loadAddon().walkPairs(handle, starts, length, perNode, p, q, window, negatives, noise, seed, epoch),
  );
  const numRows = nodes.length;
  const block = withReverse({
    device: "cpu",
    numSrc: numRows,
    numDst: numRows,
    indptr,
    indices,
    srcIds: nodes,
    weights: null,
  });
  return { nodes, block, targets, numPositives };
}
