import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph, CscPart } from "../graph/csc-graph.ts";
import { concatInt32 } from "../io/concat-arrays.ts";
import { int64At, int64Words, setInt64 } from "../io/int64.ts";

/** A part by itself: its inner nodes, the halo around them and the edges between. */
export interface PartWithHalo {
  /** Inner nodes have the LocalIds [0, numInner), in the order of their GlobalIds; halo nodes come behind them */
  readonly numInner: number;
  /** int32 [numInner + halo nodes]: GlobalId of each LocalId; the halo hop by hop, ascending inside a hop */
  readonly globalIds: Int32Array;
  /** [hops]: nodes of the halo within 1, 2 … hops */
  readonly haloNodes: readonly number[];
  /**
   * One part over LocalIds. It has all in-edges of the inner nodes, in the order of the part's own (`indices`, edge
   * data), and from two hops on those of the halo nodes that are not the outermost; nodes of the last hop have none.
   */
  readonly graph: CscGraph;
}

/**
 * The part and its halo: the nodes of other parts within `hops` in-hops, which is all that `hops` layers read for inner
 * nodes. With one hop only the part's own columns are looked at, so its owner needs no other part.
 * DGL: `partition_graph(num_hops)`, `load_partition`; inner nodes first.
 *
 *   0 → 1 → 2 → 3, part 1 = [2, 3]: globalIds [2, 3, 1], edges 1 → 2 and 2 → 3 as 2 → 0 and 0 → 1
 *
 * @throws GnnError SHAPE_MISMATCH for a part that does not exist, or hops below 1
 */
export function partWithHalo(graph: CscGraph, part: number, hops = 1): PartWithHalo {
  const own = graph.parts[part];
  if (!own || !(Number.isInteger(hops) && hops >= 1)) {
    const found = own ? `a halo of ${hops} hops; expected at least 1` : `part ${part} of ${graph.parts.length}`;
    throw new GnnError("SHAPE_MISMATCH", `There is no ${found}.`);
  }
  const localIds = new Int32Array(graph.numNodes).fill(-1);
  let frontier: Int32Array = Int32Array.from({ length: own.numNodes }, (_, i) => own.firstNode + i);
  const rings: Int32Array[] = [];
  const haloNodes: number[] = [];
  for (let hop = 0; hop <= hops; hop++) {
    const first = rings.reduce((sum, ring) => sum + ring.length, 0);
    for (const [i, node] of frontier.entries()) localIds[node] = first + i;
    rings.push(frontier);
    if (hop > 0) haloNodes.push(first + frontier.length - own.numNodes);
    if (hop < hops) frontier = unseenSources(graph, frontier, localIds);
  }
  const globalIds = concatInt32(rings);
  const withColumns = globalIds.length - (rings.at(-1)?.length ?? 0);
  return {
    numInner: own.numNodes,
    globalIds,
    haloNodes,
    graph: localGraph(graph, globalIds, withColumns, localIds),
  };
}

/** In-neighbours of the nodes that have no LocalId yet, ascending, each once. */
function unseenSources(graph: CscGraph, nodes: Int32Array, localIds: Int32Array): Int32Array {
  const found = new Set<number>();
  forEachColumn(graph, nodes, ({ indices }, begin, end) => {
    for (let e = begin; e < end; e++) if (localIds[indices[e]!]! < 0) found.add(indices[e]!);
  });
  return Int32Array.from(found).toSorted();
}

/** The in-edges of the first `withColumns` nodes, between LocalIds. */
function localGraph(graph: CscGraph, globalIds: Int32Array, withColumns: number, localIds: Int32Array): CscGraph {
  const numNodes = globalIds.length;
  const columns = globalIds.subarray(0, withColumns);
  const indptr = new BigInt64Array(numNodes + 1);
  const offsets = int64Words(indptr);
  let numEdges = 0;
  let local = 0;
  forEachColumn(graph, columns, (_, begin, end) => {
    numEdges += end - begin;
    setInt64(offsets, ++local, numEdges);
  });
  while (local < numNodes) setInt64(offsets, ++local, numEdges);
  const indices = new Int32Array(numEdges);
  const weights = graph.parts[0]?.weights ? new Float32Array(numEdges) : null;
  let at = 0;
  forEachColumn(graph, columns, (part, begin, end) => {
    if (part.weights) weights?.set(part.weights.subarray(begin, end), at);
    for (let e = begin; e < end; e++) indices[at++] = localIds[part.indices[e]!]!;
  });
  return { device: "cpu", numNodes, numEdges, parts: [{ firstNode: 0, numNodes, indptr, indices, weights }] };
}

/** Calls `visit` with where the in-edges of each node lie in its part, in the order of the nodes. */
function forEachColumn(graph: CscGraph, nodes: Int32Array, visit: (part: CscPart, begin: number, end: number) => void) {
  const words = graph.parts.map(({ indptr }) => int64Words(indptr));
  let at = 0;
  for (const node of nodes) {
    const holds = ({ firstNode, numNodes }: CscPart) => node >= firstNode && node < firstNode + numNodes;
    if (!graph.parts[at] || !holds(graph.parts[at]!)) at = graph.parts.findIndex(holds);
    const part = graph.parts[at]!;
    const row = node - part.firstNode;
    visit(part, int64At(words[at]!, row), int64At(words[at]!, row + 1));
  }
}
