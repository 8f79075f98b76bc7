import { concatInt32 } from "../io/concat-arrays.ts";
import { keyedOrder } from "../random/keyed-order.ts";

/** Which nodes belong to which cluster, both ways. */
export class Clusters {
  readonly numClusters: number;
  /** Nodes by cluster, ascending inside one */
  readonly #nodes: Int32Array;
  /** [numClusters + 1] */
  readonly #starts: Int32Array;
  readonly #clusterOf: Int32Array;

  /** @param clusterOf int32 [numNodes], in [0, numClusters); a cluster may be empty */
  constructor(clusterOf: Int32Array) {
    this.#clusterOf = clusterOf.slice();
    this.numClusters = clusterOf.reduce((most, cluster) => Math.max(most, cluster + 1), 0);
    this.#starts = new Int32Array(this.numClusters + 1);
    for (const cluster of clusterOf) this.#starts[cluster + 1]! += 1;
    for (let c = 0; c < this.numClusters; c++) this.#starts[c + 1]! += this.#starts[c]!;
    this.#nodes = new Int32Array(clusterOf.length);
    const next = this.#starts.slice();
    for (const [node, cluster] of clusterOf.entries()) this.#nodes[next[cluster]!++] = node;
  }

  clusterOf(node: number): number {
    return this.#clusterOf[node] as number;
  }

  /** The nodes of some clusters, ascending */
  nodesOf(clusters: Int32Array): Int32Array {
    const chosen = Array.from(clusters, (c) => this.#nodes.subarray(this.#starts[c], this.#starts[c + 1]));
    return concatInt32(chosen).toSorted();
  }
}

/** One step: the clusters it sees, and the training nodes in them, cluster by cluster. */
export interface ClusterBatch {
  readonly clusters: Int32Array;
  readonly seeds: Int32Array;
}

/**
 * The batches of an epoch: all clusters in an order that depends on (seed, epoch) alone, `perBatch` at a time. Every
 * training node is in exactly one batch. Batches without training nodes are left out: they have no loss.
 *
 * @param trainNodes GlobalIds, ascending
 */
export function clusterBatches(
  clusters: Clusters,
  trainNodes: Int32Array,
  { perBatch, seed, epoch }: { readonly perBatch: number; readonly seed: number; readonly epoch: number },
): ClusterBatch[] {
  const trainOf: number[][] = Array.from({ length: clusters.numClusters }, () => []);
  for (const node of trainNodes) trainOf[clusters.clusterOf(node)]!.push(node);
  const all = Int32Array.from(trainOf.keys());
  const order = keyedOrder(all, seed, epoch);
  const batches = Array.from({ length: Math.ceil(order.length / perBatch) }, (_, i) => {
    const chosen = order.slice(i * perBatch, (i + 1) * perBatch);
    return { clusters: chosen, seeds: Int32Array.from(Array.from(chosen, (c) => trainOf[c]!).flat()) };
  });
  return batches.filter(({ seeds }) => seeds.length > 0);
}
