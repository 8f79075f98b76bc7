import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { Sampler } from "./sampler.ts";

export interface LayerWiseOptions {
  readonly graph: CscGraph;
  /** Nodes drawn per hop, the first from the seeds; -1 = all in-neighbours */
  readonly layerSizes: readonly number[];
  /** Importance of a row adds up to its in-edges (Hájek); otherwise it is drawn / expected times */
  readonly normalize: boolean;
  readonly seed: number;
}

/**
 * FastGCN: each hop draws nodes from one distribution over the whole graph, independently and with replacement, and
 * keeps the edges from them to its dst rows.   q_u ∝ ‖Â(:, u)‖², Â = D̂^-1/2·(A + I)·D̂^-1/2;   a node drawn c times of
 * s counts c / (s·q_u) Chen, Ma, Xiao 2018 (arXiv:1801.10247), with its variance-reducing q. A row's own term is exact:
 * its node is a src row anyway. Memory: 8 bytes per node for the distribution.
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export async function createFastGcnSampler(options: LayerWiseOptions): Promise<Sampler> {
  const { normalize, seed } = options;
  const handle = nativeGraph(options.graph);
  const sizes = Int32Array.from(options.layerSizes);
  const distribution = await native(() => loadAddon().fastgcnDistribution(handle));
  return {
    async sample(seeds, { epoch, step }, signal) {
      signal?.throwIfAborted();
      const blocks = await native(() =>
        loadAddon().sampleFastgcnBlocks(handle, distribution, seeds, sizes, normalize, seed, epoch, step),
      );
      return blocks.map(withReverse);
    },
  };
}

/**
 * LADIES: each hop draws nodes among the in-neighbours of its dst rows, and keeps the edges from them.
 *   q_u ∝ Σ_v P(v, u)² over the dst rows v, P = D^-1·A
 *   with replacement, drawn c times of s: c / (s·q_u);   without (successive draws): 1 / (1 − exp(−q_u·t))
 * Zou et al. 2019 (arXiv:1911.07323), algorithm 1, whose row normalisation is `normalize`.
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export function createLadiesSampler(options: LayerWiseOptions & { readonly replace: boolean }): Sampler {
  const { replace, normalize, seed } = options;
  const handle = nativeGraph(options.graph);
  const sizes = Int32Array.from(options.layerSizes);
  return {
    async sample(seeds, { epoch, step }, signal) {
      signal?.throwIfAborted();
      const blocks = await native(() =>
        loadAddon().sampleLadiesBlocks(handle, seeds, sizes, replace, normalize, seed, epoch, step),
      );
      return blocks.map(withReverse);
    },
  };
}
