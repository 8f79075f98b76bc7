import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { type EdgeList, graphFromEdges } from "../graph/graph-from-edges.ts";

/**
 * Many graphs in one id space: graph g has the GlobalIds [offsets[g], offsets[g + 1]), at least one, and no edge joins
 * two graphs. What is known of a graph, such as its label, is an array by g.
 */
export interface GraphSet {
  /** All graphs side by side: a block-diagonal adjacency */
  readonly graph: CscGraph;
  /** int32 [numGraphs + 1], ascending from 0 */
  readonly offsets: Int32Array;
  /** The user's id of every graph */
  readonly ids: readonly string[];
}

/** Edges of all graphs, and the graph of every node. */
export interface GraphSetRows extends Omit<EdgeList, "numNodes"> {
  /** The user's id of every node's graph, in the order of the nodes; nodes of one graph follow each other */
  readonly graphOf: ArrayLike<string | number>;
  /**
   * All graphs in the order of their nodes, where a table names them: a graph without a node is then found. Left out:
   * those that the nodes name
   */
  readonly ids?: readonly (string | number)[];
}

/**
 * Puts graphs side by side.
 *
 * @throws GnnError DATASET_VALUE_INVALID with the row (`place.line`, from 1) of a node whose graph jumps, or of an edge
 * between two graphs; DATASET_NODE_UNKNOWN for an edge to no node, or a node of no graph
 */
export async function graphSetOf({ graphOf, ids, ...edges }: GraphSetRows): Promise<GraphSet> {
  const ranges = rangesOf(graphOf);
  if (ids) requireGraphs(ids.map(String), ranges);
  const numNodes = graphOf.length;
  requireWithinGraphs(edges, ranges, numNodes);
  return { graph: await graphFromEdges({ ...edges, numNodes }), ...ranges };
}

/** @returns how many graphs the set has */
export function numGraphsOf({ offsets }: Pick<GraphSet, "offsets">): number {
  return offsets.length - 1;
}

/** The graph of a node: the last one that begins at it or before. */
export function graphOfNode(offsets: Int32Array, node: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] as number) <= node) low = middle;
    else high = middle;
  }
  return low;
}

type Ranges = Pick<GraphSet, "offsets" | "ids">;

function rangesOf(graphOf: ArrayLike<string | number>): Ranges {
  if (graphOf.length === 0) {
    throw new GnnError("DATASET_VALUE_INVALID", "There are no nodes; expected at least one graph with a node.");
  }
  const ids: string[] = [];
  const offsets: number[] = [];
  const seen = new Map<string, number>();
  for (let node = 0; node < graphOf.length; node++) {
    const id = String(graphOf[node]);
    if (id === ids.at(-1)) continue;
    const before = seen.get(id);
    if (before !== undefined) throw jump(id, before, node, ids.at(-1) as string);
    seen.set(id, node);
    ids.push(id);
    offsets.push(node);
  }
  return { ids, offsets: Int32Array.from([...offsets, graphOf.length]) };
}

function jump(id: string, first: number, node: number, previous: string): GnnError {
  const message =
    `Node ${node} (row ${node + 1}) is of graph "${id}" again, whose nodes began in row ${first + 1} and ended before ` +
    `those of graph "${previous}"; expected the nodes of a graph to follow each other: sort the rows by graph.`;
  return new GnnError("DATASET_VALUE_INVALID", message, { place: { line: node + 1 } });
}

/** Graphs of the table and of the nodes are the same, in the same order. */
function requireGraphs(expected: readonly string[], { ids, offsets }: Ranges): void {
  const length = Math.max(expected.length, ids.length);
  for (let g = 0; g < length; g++) {
    const [named, found] = [expected[g], ids[g]];
    if (named === found) continue;
    if (found === undefined || (named !== undefined && !ids.includes(named))) {
      const message = `Graph "${named}" (row ${g + 1} of the graphs) has no node; expected at least one: leave it out.`;
      throw new GnnError("DATASET_VALUE_INVALID", message, { place: { line: g + 1 } });
    }
    const line = (offsets[g] as number) + 1;
    const wanted = named === undefined ? "no further graph" : `graph "${named}"`;
    const message = `The node in row ${line} is of graph "${found}"; expected ${wanted}, as the list of graphs has it.`;
    throw new GnnError(named === undefined ? "DATASET_NODE_UNKNOWN" : "DATASET_VALUE_INVALID", message, {
      place: { line },
    });
  }
}

function requireWithinGraphs({ src, dst }: Pick<EdgeList, "src" | "dst">, ranges: Ranges, numNodes: number): void {
  const { offsets, ids } = ranges;
  const numRows = Math.min(src.length, dst.length);
  for (let row = 0; row < numRows; row++) {
    const [from, to] = [src[row] as number, dst[row] as number];
    const bad = [from, to].find((node) => !(node >= 0 && node < numNodes));
    if (bad !== undefined) {
      const message = `The edge in row ${row + 1} names node ${bad}; expected 0 to ${numNodes - 1}.`;
      throw new GnnError("DATASET_NODE_UNKNOWN", message, { place: { line: row + 1 } });
    }
    const graph = graphOfNode(offsets, from);
    if (to >= (offsets[graph] as number) && to < (offsets[graph + 1] as number)) continue;
    const message =
      `The edge in row ${row + 1} joins node ${from} of graph "${ids[graph]}" with node ${to} of graph ` +
      `"${ids[graphOfNode(offsets, to)]}"; expected both ends in one graph.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place: { line: row + 1 } });
  }
}
