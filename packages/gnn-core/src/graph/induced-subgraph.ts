import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "./csc-graph.ts";
import { nativeGraph } from "./native-graph.ts";

/**
 * The graph of some nodes and all edges between them, off the JavaScript thread. Its node i is `nodes[i]`.
 *
 *   0 → 1 → 3, 3 → 0, nodes [0, 3]: one edge, 1 → 0
 *
 * @param nodes  GlobalIds, ascending, each once
 * @throws GnnError SHAPE_MISMATCH for a node outside the graph, or nodes that do not ascend
 */
export async function inducedSubgraph(graph: CscGraph, nodes: Int32Array): Promise<CscGraph> {
  const arrays = await native(() => loadAddon().inducedSubgraph(nativeGraph(graph), nodes));
  const numNodes = nodes.length;
  return { device: "cpu", numNodes, numEdges: arrays.indices.length, parts: [{ firstNode: 0, numNodes, ...arrays }] };
}
