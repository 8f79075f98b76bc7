import { loadAddon } from "../backends/native/addon.ts";
import type { PartMeasures } from "../backends/native/graph-addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph, NodeTypes } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import type { SplitCounts } from "../graph/split-nodes.ts";
import type { PartitionReport } from "../spec/parts-info.ts";

/**
 * Measures a partitioned graph: what a rank reads from elsewhere and how even the parts are.
 *
 * communicationVolume = Σ_p |distinct outside in-neighbours of part p| (METIS' total volume on an undirected graph);
 * expectedRemoteReads = cut in-edges / numNodes; edgeCut = cut in-edges / numEdges.
 *
 * @param splits   nodes of every part by their split
 * @param haloHops hops that `haloNodes` counts
 * @param types    of the nodes, by GlobalId; null: nodes are alike, and none are reported
 */
export async function measurePartition(
  graph: CscGraph,
  splits: readonly SplitCounts[],
  haloHops: number,
  types: Pick<NodeTypes, "names" | "codes"> | null = null,
): Promise<PartitionReport> {
  const handle = nativeGraph(graph);
  const { names, codes } = types ?? { names: [], codes: null };
  let cutEdges = 0;
  let communicationVolume = 0;
  const parts: PartitionReport["parts"] = [];
  const byType: PartMeasures["types"][] = [];
  for (const [part, { numNodes, indices }] of graph.parts.entries()) {
    const measures = await native(() => loadAddon().measurePart(handle, part, haloHops, codes, names.length));
    cutEdges += measures.cutEdges;
    communicationVolume += measures.haloNodes[0] ?? 0;
    parts.push({
      part,
      nodes: numNodes,
      edges: indices.length,
      trainNodes: splits[part]?.train ?? 0,
      valNodes: splits[part]?.val ?? 0,
      testNodes: splits[part]?.test ?? 0,
      haloNodes: measures.haloNodes.at(-1) ?? 0,
    });
    byType.push(measures.types);
  }
  return {
    numParts: graph.parts.length,
    edgeCut: ratio(cutEdges, graph.numEdges),
    communicationVolume,
    expectedRemoteReads: ratio(cutEdges, graph.numNodes),
    imbalance: {
      nodes: imbalance(parts.map(({ nodes }) => nodes)),
      edges: imbalance(parts.map(({ edges }) => edges)),
      train: imbalance(splits.map(({ train }) => train)),
      val: imbalance(splits.map(({ val }) => val)),
      test: imbalance(splits.map(({ test }) => test)),
    },
    parts,
    ...(types && {
      types: names.map((type, code) =>
        typeReport(
          type,
          byType.map((measures) => measures[code]!),
        ),
      ),
    }),
  };
}

function typeReport(type: string, parts: PartMeasures["types"]): NonNullable<PartitionReport["types"]>[number] {
  return {
    type,
    nodes: parts.map(({ nodes }) => nodes),
    edges: parts.map(({ edges }) => edges),
    haloNodes: parts.map(({ haloNodes }) => haloNodes),
  };
}

/** Largest over mean; 1 when there is nothing to share out. */
export function imbalance(shares: readonly number[]): number {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return total === 0 ? 1 : (Math.max(...shares) * shares.length) / total;
}

function ratio(count: number, total: number): number {
  return total === 0 ? 0 : count / total;
}
