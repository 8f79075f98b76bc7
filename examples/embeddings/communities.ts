import { type CscGraph, graphFromEdges, linearProbe } from "@hopwise/gnn-core";

/** A made-up graph whose edges lie mostly inside a community. */
export interface Communities {
  readonly graph: CscGraph;
  /** The community of each node, int32 [numNodes] */
  readonly labels: Int32Array;
  /** Goes on with the numbers that the edges were drawn by, from 0 to 1 */
  readonly random: () => number;
}

export async function madeUpCommunities(numNodes: number, numGroups: number): Promise<Communities> {
  let state = 11;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const labels = Int32Array.from({ length: numNodes }, (_, node) => node % numGroups);
  const [src, dst]: [number[], number[]] = [[], []];
  for (let node = 0; node < numNodes; node++) {
    for (let i = 0; i < 5; i++) {
      const other = Math.floor(random() * numNodes);
      const inside = other - (other % numGroups) + (node % numGroups);
      src.push(random() < 0.85 ? Math.min(inside, numNodes - 1) : other);
      dst.push(node);
    }
  }
  return { graph: await graphFromEdges({ src, dst, numNodes, directed: false, selfLoops: "drop" }), labels, random };
}

/** What a linear probe tells of the test nodes' communities by float32 [numNodes, dim] rows, in percent. */
export function percentTold(rows: Float32Array, labels: Int32Array, numGroups: number): string {
  const sideOf = (side: number) =>
    Int32Array.from(labels.keys()).filter((node) => Math.floor(node / numGroups) % 10 === side);
  const sides = { train: sideOf(0), val: sideOf(1), test: sideOf(2) };
  const dim = rows.length / labels.length;
  const { test } = linearProbe({ rows, dim }, { labels, numClasses: numGroups, ...sides });
  return ((test ?? 0) * 100).toFixed(1);
}
