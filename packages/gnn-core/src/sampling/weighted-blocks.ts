import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { Sampler } from "./sampler.ts";

export interface WeightedSamplerOptions {
  /** With edge weights */
  readonly graph: CscGraph;
  /** One per hop, the first from the seeds; -1 = all in-neighbours */
  readonly fanouts: readonly number[];
  readonly replace: boolean;
  /** Attach importance weights, so that layers estimate their sums over all in-edges */
  readonly reweight: boolean;
  readonly seed: number;
}

/**
 * Draws in-neighbours in proportion to the weight of their edge; an edge of weight 0 is never drawn (unless a fanout
 * takes all). Without replacement: successive draws, by exponential keys (Efraimidis and Spirakis 2006).
 *
 * Importance weights, w_e the weight of an edge, W_v the sum at its dst, k the fanout:
 *   with replacement W_v / (k·w_e) per draw;  without 1 / (1 − exp(−w_e·t)), t the smallest key that was left out.
 * Both make Σ_e sum[e]·f(e) unbiased for every f (the second: Cohen and Kaplan 2007, rank conditioning).
 *
 * @throws GnnError (from `sample`) DATASET_VALUE_INVALID for a graph without weights or a negative one, SHAPE_MISMATCH
 * for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export function createWeightedSampler(options: WeightedSamplerOptions): Sampler {
  const { replace, reweight, seed } = options;
  const handle = nativeGraph(options.graph);
  const fanouts = Int32Array.from(options.fanouts);
  return {
    async sample(seeds, { epoch, step }, signal) {
      signal?.throwIfAborted();
      const blocks = await native(() =>
        loadAddon().sampleWeightedBlocks(handle, seeds, fanouts, replace, reweight, seed, epoch, step),
      );
      return blocks.map(withReverse);
    },
  };
}
