import type { FeatureRows } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";

/** What one training step consumes. Everything in it belongs to the consumer. */
export interface MiniBatch {
  readonly epoch: number;
  readonly step: number;
  /** GlobalIds, int32 [numSeeds]; the last block's dst rows */
  readonly seeds: Int32Array;
  /** In the order the model consumes them; empty for a model of 0 hops */
  readonly blocks: readonly Block[];
  /** GlobalIds of the input rows: `blocks[0].srcIds`, or the seeds when there is no block */
  readonly inputNodes: Int32Array;
  /** Rows of `inputNodes`, null when the graph has no features */
  readonly features: FeatureRows | null;
  /** Class of every seed, int32 [numSeeds], -1 = unlabelled; null when the loader was given none */
  readonly labels: Int32Array | null;
  /** Milliseconds from asking to having: sampling, then reading rows. Off the JavaScript thread. */
  readonly sampleMs: number;
  readonly gatherMs: number;
}
