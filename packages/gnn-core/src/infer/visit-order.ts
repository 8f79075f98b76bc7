import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph, NodeRange } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";

// Share of a core's second-level cache for a cluster's rows, which stay there while the cluster's nodes sum them.
const clusterShare = 0.75;
// What lies in a cache anyway, or is read a few times only, is not worth a search.
const smallestBytes = 4 * 2 ** 20;
const smallestDegree = 8;

interface KnownOrder extends NodeRange {
  readonly mostNodes: number;
  readonly nodes: Int32Array;
}

const known = new WeakMap<CscGraph, KnownOrder>();

/**
 * A rank's nodes in the order in which their neighbours are best summed: nodes with common neighbours follow each
 * other, so that rows are still in a cache when they are read again. Remembered with the graph. Results do not depend
 * on it.
 *
 * @param widest  numbers of the widest row that is summed
 * @returns GlobalIds, each of the range once; null where the given order is as good
 */
export async function visitOrder(
  graph: CscGraph,
  { first, count }: NodeRange,
  widest: number,
): Promise<Int32Array | null> {
  const isSmall = graph.numNodes * widest * 4 < smallestBytes || graph.numEdges < smallestDegree * graph.numNodes;
  if (isSmall) return null;
  const clusterBytes = clusterShare * loadAddon().secondLevelCache();
  const mostNodes = Math.max(64, Math.floor(clusterBytes / (widest * 4)));
  const last = known.get(graph);
  if (last && last.first === first && last.count === count && last.mostNodes === mostNodes) return last.nodes;
  const nodes = await native(() => loadAddon().clusterOrder(nativeGraph(graph), first, count, mostNodes));
  known.set(graph, { first, count, mostNodes, nodes });
  return nodes;
}
