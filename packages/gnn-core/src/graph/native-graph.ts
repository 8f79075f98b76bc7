import { loadAddon } from "../backends/native/addon.ts";
import type { GraphHandle } from "../backends/native/graph-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { CscGraph, CscPart } from "./csc-graph.ts";

const handles = new WeakMap<CscGraph, GraphHandle>();

/**
 * The native view of a graph, made on first use.
 *
 * When other parts of the graph lie with other ranks, kernels that look at a node there fail with SHAPE_MISMATCH.
 *
 * @throws GnnError SHAPE_MISMATCH when parts are not consecutive or arrays do not fit their offsets
 */
export function nativeGraph(graph: CscGraph): GraphHandle {
  const known = handles.get(graph);
  if (known) return known;
  const handle = nativeSync(() => loadAddon().createGraph(graph.numNodes, graph.parts, !graph.remote));
  handles.set(graph, handle);
  return handle;
}

/** One part of a graph; kernels that look at a node elsewhere fail with SHAPE_MISMATCH. @throws GnnError as above */
export function nativePart(numNodes: number, part: CscPart): GraphHandle {
  return nativeSync(() => loadAddon().createGraph(numNodes, [part], false));
}
