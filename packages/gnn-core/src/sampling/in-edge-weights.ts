import { type CscGraph, wholeLists } from "../graph/csc-graph.ts";
import { inEdgeWeight } from "../graph/in-edge-weight.ts";

/** What the edges src → dst add to the in-degree of dst: `inEdgeWeight` */
export type InEdgeWeights = (src: number, dst: number) => number;

/**
 * Looks up what edges add to the in-degrees of some nodes. Of those whose in-edges lie with other ranks all of these
 * are asked for, in one request to each rank: 4 bytes an edge, 8 with weights.
 *
 * @param nodes the dst that will be looked up
 */
export async function inEdgeWeights(graph: CscGraph, nodes: Int32Array): Promise<InEdgeWeights> {
  const { remote } = graph;
  if (!remote) return (src, dst) => inEdgeWeight(graph, src, dst);
  const { first, count } = remote.own;
  const isOwn = (node: number) => node >= first && node < first + count;
  const foreign = nodes.filter((node) => !isOwn(node));
  if (foreign.length === 0) return (src, dst) => inEdgeWeight(graph, src, dst);
  const { indptr, entries, values } = await remote.drawInEdges(foreign, wholeLists);
  const listOf = new Map(Array.from(foreign, (node, list) => [node, list]));
  return (src, dst) => {
    const list = listOf.get(dst);
    if (list === undefined) return inEdgeWeight(graph, src, dst);
    let sum = 0;
    for (let at = indptr[list] as number; at < (indptr[list + 1] as number); at++) {
      if (entries[at] === src) sum += values ? (values[at] as number) : 1;
    }
    return sum;
  };
}
