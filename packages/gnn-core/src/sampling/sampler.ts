import type { ComputeOnce } from "../dist/compute-once.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { TimedEdges } from "../graph/timed-edges.ts";
import type { NodePairs } from "../links/node-pairs.ts";

export interface SamplerContext {
  readonly graph: CscGraph;
  readonly numHops: number;
  readonly seed: number;
  /** The graph's edges by time, where links are split by time; left out or null: nothing is known of when they came */
  readonly times?: TimedEdges | null;
  /** Computes something of the whole graph on one rank for all of them. Left out: each computes it itself. */
  readonly computeOnce?: ComputeOnce;
}

/** Names one mini-batch: with the job's seed it decides every random draw, whatever thread or rank makes it. */
export interface BatchKey {
  readonly epoch: number;
  readonly step: number;
}

/**
 * Draws the blocks of one mini-batch. `blocks[0]` is the input layer, `blocks[at(-1)]` ends in the seeds
 * (the order the model consumes them); `blocks[i].srcIds` begins with the dst ids, which are `blocks[i+1].srcIds`.
 * They are new ones each time: the consumer gives their memory back (`releaseBlocks`).
 */
export interface Sampler {
  sample(seeds: Int32Array, key: BatchKey, signal?: AbortSignal): Promise<readonly Block[]>;
  /** True where every in-neighbour is taken at every hop. Left out: some are drawn */
  readonly takesAll?: boolean;
  /**
   * As `sample`, from what each seed's own time lets it know: `times` has one per seed, and a node may be a seed at
   * several. A row is a node at a time, so blocks may name a node more than once; they have degrees at that time. No
   * time comes before that of what has always been there: for seeds of that time the edges between the nodes of each of
   * `pairs` are not there, in neither direction and at no hop, as if by `sampleWithout`.
   * Left out: the sampler knows of no times.
   */
  readonly sampleAt?: (
    seeds: Int32Array,
    times: Float64Array,
    pairs: NodePairs,
    key: BatchKey,
    signal?: AbortSignal,
  ) => Promise<readonly Block[]>;
  /**
   * As `sample`, without the edges between the nodes of each pair: `withoutEdges`, made where the edges lie. Left out:
   * they are taken out of what was sampled.
   */
  readonly sampleWithout?: (
    seeds: Int32Array,
    pairs: NodePairs,
    key: BatchKey,
    signal?: AbortSignal,
  ) => Promise<readonly Block[]>;
  /**
   * What is made of a batch's blocks ahead of their consumer, once nothing of them changes any more. Left out: nothing
   */
  readonly arrange?: (blocks: readonly Block[]) => Promise<void>;
  /**
   * The seeds of one rank for every step of an epoch, where batches are not random draws of training nodes: equally
   * many steps on every rank, and in each step at least one seed on one of them. Left out: `epochSeeds`.
   */
  readonly epochSeeds?: (
    trainNodes: Int32Array,
    epoch: number,
    rank: { readonly rank: number; readonly worldSize: number },
  ) => Int32Array[];
}
