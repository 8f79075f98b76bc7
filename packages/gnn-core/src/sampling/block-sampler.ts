import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { createPartitionedSampler } from "./partitioned-blocks.ts";
import type { Sampler } from "./sampler.ts";

export interface BlockSamplerOptions {
  readonly graph: CscGraph;
  /** One per hop, the first from the seeds; -1 = all in-neighbours */
  readonly fanouts: readonly number[];
  readonly replace: boolean;
  readonly seed: number;
}

/**
 * The native sampler. Batches may be in flight together: each runs on libuv's pool with its own memory, and every draw
 * depends on (seed, epoch, step, hop, GlobalId) alone. Picks of a column stay in ascending order, so a node's sum over
 * its neighbours has the same bits in whatever batch, on whatever rank it is computed. In-edges that other ranks hold
 * are drawn by them, with the same bits.
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE at 2^31 edges
 */
export function createBlockSampler({ graph, fanouts, replace, seed }: BlockSamplerOptions): Sampler {
  if (graph.remote) return createPartitionedSampler({ graph, remote: graph.remote, fanouts, replace, seed });
  const handle = nativeGraph(graph);
  const hops = Int32Array.from(fanouts);
  const takesAll = fanouts.every((fanout) => fanout < 0);
  return {
    takesAll,
    async sample(seeds, key, signal) {
      signal?.throwIfAborted();
      const { epoch, step } = key;
      // All edges into all nodes bring no further rows: each hop would have the same arrays.
      const isWhole = takesAll && seeds.length === graph.numNodes;
      const drawn = isWhole ? hops.subarray(0, 1) : hops;
      const blocks = await native(() => loadAddon().sampleBlocks(handle, seeds, drawn, replace, seed, epoch, step));
      const [whole] = blocks;
      return isWhole && whole ? Array<Block>(hops.length).fill(withReverse(whole)) : blocks.map(withReverse);
    },
  };
}
