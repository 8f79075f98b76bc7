import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import type { Sampler } from "./sampler.ts";

export interface HgSamplerOptions {
  readonly graph: CscGraph;
  /** Nodes of each type that a round takes, one number per hop, the first round from the seeds; -1 = all */
  readonly nodesPerType: readonly number[];
  readonly seed: number;
}

/**
 * HGSampling: the subgraph of a batch grows from its seeds in rounds, each of which takes as many nodes of every type.
 * A node u has a budget of what it sends to nodes that were taken, and is drawn by its square, without replacement:
 *   B_u = Σ 1 / d_r(v) over the edges u → v of relations r into nodes v taken so far;   p_u ∝ B_u²
 * where d_r(v) counts the in-edges of v of that relation. Each block has all edges between taken nodes that lead to its
 * dst rows. Draws depend on the seeds of the batch and on (seed, epoch, step, round, GlobalId).
 * Hu et al. 2020 (arXiv:2003.01332), algorithm 2; as in PyG's HGTLoader all types of a round are drawn from the budgets
 * at its beginning, so that their order does not matter.
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export function createHgSampler({ graph, nodesPerType, seed }: HgSamplerOptions): Sampler {
  const handle = nativeGraph(graph);
  const { codes = null, names = ["node"] } = graph.nodeTypes ?? {};
  const perType = Int32Array.from(nodesPerType);
  return {
    async sample(seeds, { epoch, step }, signal) {
      signal?.throwIfAborted();
      const blocks = await native(() =>
        loadAddon().sampleHgBlocks(handle, codes, names.length, seeds, perType, seed, epoch, step),
      );
      return blocks.map(withReverse);
    },
  };
}
