import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { Sampler } from "./sampler.ts";

export interface LaborSamplerOptions {
  readonly graph: CscGraph;
  /** One per hop, the first from the seeds; -1 = all in-neighbours */
  readonly fanouts: readonly number[];
  /** Rounds that fit the probabilities to the batch; 0: LABOR-0; -1: until they stand still */
  readonly iterations: number;
  /** Gives a node the same random number at every hop */
  readonly layerDependency: boolean;
  /** Exactly min(fanout, degree) in-neighbours of every node, instead of about so many on average */
  readonly fixedSize: boolean;
  /** Importance of a row adds up to its in-edges (Hájek); otherwise it is 1 / probability (Horvitz–Thompson) */
  readonly normalize: boolean;
  readonly seed: number;
}

/**
 * LABOR: an in-neighbour t has one random number r_t per hop, whoever looks at it, and s takes it when r_t < c_s·π_t.
 * Neighbourhoods that overlap pick the same nodes, so a batch has fewer rows than with independent draws.
 *
 *   c_s solves Σ_t 1/min(1, c_s·π_t) = d_s²/fanout: the variance of `fanout` neighbours drawn uniformly
 *   π = 1, then `iterations` times π_t ← π_t·max{ c_s : t → s }, which lowers the expected number of nodes
 *
 * Balin and Çatalyürek 2023 (arXiv:2210.13339). `fixedSize`: the `fanout` smallest r_t/π_t (sequential Poisson
 * sampling, appendix A.3). LABOR-0 normalised weighs the edges of a row alike and carries no importance.
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export function createLaborSampler(options: LaborSamplerOptions): Sampler {
  const { iterations, layerDependency, fixedSize, normalize, seed } = options;
  const handle = nativeGraph(options.graph);
  const fanouts = Int32Array.from(options.fanouts);
  return {
    async sample(seeds, { epoch, step }, signal) {
      signal?.throwIfAborted();
      const how = [iterations, layerDependency, fixedSize, normalize] as const;
      const blocks = await native(() =>
        loadAddon().sampleLaborBlocks(handle, seeds, fanouts, ...how, seed, epoch, step),
      );
      return blocks.map(withReverse);
    },
  };
}
