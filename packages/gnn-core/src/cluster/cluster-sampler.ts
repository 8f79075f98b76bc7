import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { inducedSubgraph } from "../graph/induced-subgraph.ts";
import { createBlockSampler } from "../sampling/block-sampler.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { withDegrees } from "../sampling/with-degrees.ts";
import { type ClusterBatch, type Clusters, clusterBatches } from "./cluster-batches.ts";

export interface ClusterSamplerOptions {
  readonly graph: CscGraph;
  readonly clusters: Clusters;
  readonly clustersPerBatch: number;
  readonly numHops: number;
  readonly seed: number;
}

/**
 * ClusterGCN: a step sees the subgraph of a few clusters, with the edges between them, and nothing else: mean and
 * degrees are those of the subgraph (Chiang et al. 2019, arXiv:1905.07953, section 3.2, stochastic multiple
 * partitions).
 *
 * Each rank computes the loss of its share of the step's seeds, cluster by cluster, on the same subgraph: k ranks
 * compute what one rank would, and of what they share there is only what lies near the border of their clusters.
 */
export function createClusterSampler(options: ClusterSamplerOptions): Sampler {
  const { graph, clusters, clustersPerBatch: perBatch, numHops, seed } = options;
  const fanouts = Array.from({ length: numHops }, () => -1);
  let plan: { readonly epoch: number; readonly batches: readonly ClusterBatch[] } = { epoch: -1, batches: [] };
  return {
    epochSeeds(trainNodes, epoch, { rank, worldSize }) {
      plan = { epoch, batches: clusterBatches(clusters, trainNodes, { perBatch, seed, epoch }) };
      return plan.batches.map(({ seeds }) => {
        const border = (r: number) => Math.floor((r * seeds.length) / worldSize);
        return seeds.subarray(border(rank), border(rank + 1));
      });
    },
    async sample(seeds, key, signal) {
      signal?.throwIfAborted();
      const batch = plan.epoch === key.epoch ? plan.batches[key.step] : undefined;
      if (!batch) throw new RangeError(`Epoch ${key.epoch} has no step ${key.step}; epochSeeds(…, epoch) comes first.`);
      const nodes = clusters.nodesOf(batch.clusters);
      const subgraph = await inducedSubgraph(graph, nodes);
      const drawn = withDegrees(createBlockSampler({ graph: subgraph, fanouts, replace: false, seed }), subgraph);
      const blocks = await drawn.sample(positionsIn(nodes, seeds), key, signal);
      return blocks.map((block): Block => ({ ...block, srcIds: block.srcIds.map((row) => nodes[row] as number) }));
    },
  };
}

/** @param nodes ascending, with all of `ids` among them */
function positionsIn(nodes: Int32Array, ids: Int32Array): Int32Array {
  return ids.map((id) => {
    let low = 0;
    let high = nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((nodes[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
