import type { Block } from "../graph/block.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { graphOfNode } from "./graph-set.ts";

/**
 * What readouts reduce along: an edge from each node of a batch to its graph. Unlike in a block of a hop, dst rows are
 * graphs, and none of them is a src row; edge i is that of node i.
 *
 * @param nodes   GlobalIds of whole graphs one after the other, as a batch has them
 * @param offsets those of the set
 * @returns the block, and the graphs by their rows in it
 */
export function poolBlock(nodes: Int32Array, offsets: Int32Array): { pool: Block; graphs: Int32Array } {
  const graphs: number[] = [];
  const indptr: number[] = [0];
  for (let at = 0; at < nodes.length; ) {
    const graph = graphOfNode(offsets, nodes[at] as number);
    at += (offsets[graph + 1] as number) - (offsets[graph] as number);
    graphs.push(graph);
    indptr.push(at);
  }
  const pool = withReverse({
    device: "cpu",
    numSrc: nodes.length,
    numDst: graphs.length,
    indptr: Int32Array.from(indptr),
    indices: Int32Array.from(nodes.keys()),
    srcIds: nodes,
    weights: null,
  });
  return { pool, graphs: Int32Array.from(graphs) };
}

/** The nodes of some graphs, graph after graph: what a batch of them has as seeds. */
export function nodesOfGraphs(graphs: Int32Array, offsets: Int32Array): Int32Array {
  let numNodes = 0;
  for (const g of graphs) numNodes += (offsets[g + 1] as number) - (offsets[g] as number);
  const nodes = new Int32Array(numNodes);
  let at = 0;
  for (const g of graphs) {
    const end = offsets[g + 1] as number;
    for (let node = offsets[g] as number; node < end; node++) nodes[at++] = node;
  }
  return nodes;
}
