import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "./csc-graph.ts";
import { nativeGraph } from "./native-graph.ts";

/** Whose rows a node aggregates: of nodes with an edge to it, of those it has an edge to, or of both. */
export type EdgeDir = "in" | "out" | "both";

const known = new WeakMap<CscGraph, Map<EdgeDir, Promise<CscGraph>>>();

/**
 * The graph whose in-neighbours are the nodes that a node hears from: the graph itself for "in", its reverse for "out",
 * u → v and v → u for every edge for "both" (an edge that is there in both directions counts twice).
 *
 * Built on first use, once per process and graph, and kept as long as the graph is: 8 bytes per node and 4 per edge
 * ("both": 8 per edge), twice that of edges with weights. Parts keep their nodes.
 */
export async function messageGraph(graph: CscGraph, edgeDir: EdgeDir): Promise<CscGraph> {
  if (edgeDir === "in") return graph;
  const built = known.get(graph) ?? new Map<EdgeDir, Promise<CscGraph>>();
  known.set(graph, built);
  const found = built.get(edgeDir) ?? build(graph, edgeDir);
  built.set(edgeDir, found);
  return found;
}

async function build(graph: CscGraph, edgeDir: "out" | "both"): Promise<CscGraph> {
  const columns = await native(() => loadAddon().messageGraph(nativeGraph(graph), edgeDir === "both"));
  const parts = graph.parts.map(({ firstNode, numNodes }, part) => ({ firstNode, numNodes, ...columns[part]! }));
  // An edge that is turned around is of another relation, which has no name.
  const { relations: _, ...rest } = graph;
  return { ...rest, numEdges: graph.numEdges * (edgeDir === "both" ? 2 : 1), parts };
}
