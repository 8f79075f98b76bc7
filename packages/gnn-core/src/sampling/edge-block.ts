import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";

/**
 * `fullBlock` with one src row per edge instead of one per node: for layers that read src rows in sums over edges only
 * (`Layer.readsRowsByEdge`), from features that are read in place. The sums have the same bits.
 *
 * @throws GnnError SHAPE_MISMATCH when the range leaves the graph
 */
export async function edgeBlock(graph: CscGraph, firstNode: number, numNodes: number): Promise<Block> {
  return withReverse(await native(() => loadAddon().edgeBlock(nativeGraph(graph), firstNode, numNodes)));
}
