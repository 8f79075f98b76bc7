import { loadAddon } from "../backends/native/addon.ts";
import type { GraphHandle } from "../backends/native/graph-addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { withReverse } from "../graph/reverse-edges.ts";

/**
 * One hop with all in-neighbours of the nodes [firstNode, firstNode + numNodes) (GlobalIds), whatever part they lie
 * in: what layer-wise inference computes one layer over.
 *
 * @throws GnnError SHAPE_MISMATCH when the range leaves the graph
 */
export function fullBlock(graph: CscGraph, firstNode: number, numNodes: number): Promise<Block> {
  return heldBlock(nativeGraph(graph), firstNode, numNodes);
}

/** Builds the block of nodes whose in-edges are here. */
export async function heldBlock(held: GraphHandle, firstNode: number, numNodes: number): Promise<Block> {
  return withReverse(await native(() => loadAddon().fullBlock(held, firstNode, numNodes)));
}
