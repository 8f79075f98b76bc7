import type { Edges } from "./graphs.ts";

/** `count` communities of 50 nodes: each node has 6 edges inside its community and one to anywhere. */
export function communities(count: number): { numNodes: number; edges: Edges } {
  const numNodes = count * 50;
  const src: number[] = [];
  const dst: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    const first = node - (node % 50);
    for (let k = 1; k <= 6; k++) {
      src.push(node);
      dst.push(first + ((node * k + 7 * k) % 50));
    }
    src.push(node);
    dst.push((node * 7919 + 13) % numNodes);
  }
  return { numNodes, edges: { src, dst } };
}

/** The communities under shuffled names, with edges from both ends: the order tells nothing of the communities. */
export function shuffledCommunities(count: number): { numNodes: number; edges: Edges } {
  const { numNodes, edges } = communities(count);
  // A prime larger than the graph visits every node once.
  const name = (node: number) => (node * 7907) % numNodes;
  const src = Array.from(edges.src, name);
  const dst = Array.from(edges.dst, name);
  return { numNodes, edges: { src: [...src, ...dst], dst: [...dst, ...src] } };
}

/** Edges of the undirected graph between different parts. */
export function cutOf({ xadj, adjncy }: { xadj: Int32Array; adjncy: Int32Array }, assignment: Int32Array): number {
  let cut = 0;
  for (let node = 0; node < assignment.length; node++) {
    for (let e = xadj[node]!; e < xadj[node + 1]!; e++) cut += Number(assignment[node] !== assignment[adjncy[e]!]);
  }
  return cut / 2;
}

/** Largest and smallest part over the mean part, counting the nodes' weights. */
export function spreadOf(assignment: Int32Array, numParts: number, weightOf: (node: number) => number) {
  const loads = new Float64Array(numParts);
  assignment.forEach((part, node) => {
    loads[part]! += weightOf(node);
  });
  const mean = loads.reduce((sum, load) => sum + load, 0) / numParts;
  return { most: Math.max(...loads) / mean, least: Math.min(...loads) / mean };
}
