import fc from "fast-check";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";

export interface Edges {
  readonly src: readonly number[];
  readonly dst: readonly number[];
  readonly weights?: readonly number[];
}

/** Random directed edges with repeats and self-loops. */
export function edgeArrays(numNodes: number, maxEdges: number): fc.Arbitrary<Edges> {
  const node = fc.integer({ min: 0, max: numNodes - 1 });
  return fc
    .array(fc.tuple(node, node), { maxLength: maxEdges })
    .map((rows) => ({ src: rows.map(([src]) => src), dst: rows.map(([, dst]) => dst) }));
}

/** Builds the graph as consecutive parts of about equal size, some of them empty when there are few nodes. */
export async function cutInto(numParts: number, numNodes: number, edges: Edges): Promise<CscGraph> {
  const whole = await graphFromEdges({ ...edges, numNodes, duplicates: "keep" });
  const [all] = whole.parts;
  const border = (part: number) => Math.floor((part * numNodes) / numParts);
  const parts = Array.from({ length: numParts }, (_, part) => {
    const first = border(part);
    const end = border(part + 1);
    const begin = all!.indptr[first]!;
    return {
      firstNode: first,
      numNodes: end - first,
      indptr: all!.indptr.slice(first, end + 1).map((offset) => offset - begin),
      indices: all!.indices.slice(Number(begin), Number(all!.indptr[end])),
      weights: all!.weights?.slice(Number(begin), Number(all!.indptr[end])) ?? null,
    };
  });
  return { ...whole, parts };
}

/** In-neighbours of every node, ascending, straight from the edge list. */
export function inNeighbors(numNodes: number, { src, dst }: Edges): number[][] {
  const neighbors: number[][] = Array.from({ length: numNodes }, () => []);
  dst.forEach((node, i) => neighbors[node]!.push(src[i]!));
  return neighbors.map((list) => list.toSorted((a, b) => a - b));
}
