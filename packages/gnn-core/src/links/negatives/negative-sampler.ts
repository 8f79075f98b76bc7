import type { NodePairs } from "../node-pairs.ts";

/** The links of one step, all ranks' together, and which of them this rank scores. */
export interface PositiveBatch {
  /** The links of the global batch, in an order that all ranks have alike */
  readonly links: NodePairs;
  /** What names each of them from epoch to epoch: its place among the training links */
  readonly ids: Int32Array;
  /** This rank's rows are [first, end) */
  readonly first: number;
  readonly end: number;
  readonly epoch: number;
  readonly step: number;
}

/**
 * Draws `perLink` pairs for every link of this rank, int32 [(end − first) · perLink], row by row. Draws depend on the
 * seed, the epoch, the step and the link, never on the rank: several ranks draw together what one would.
 *
 * No drawn pair is a training link or a node with itself, unless a link's source has so few other nodes that 16 draws
 * find none. Held-out links are not known to it: to spare them would tell of them.
 */
export interface NegativeSampler {
  readonly perLink: number;
  draw(batch: PositiveBatch): NodePairs;
}
