/** A small graph as an edge list of directed rows; node ids are 0, 1 … numNodes − 1. */
export interface NamedGraph {
  readonly name: string;
  readonly numNodes: number;
  readonly src: readonly number[];
  readonly dst: readonly number[];
}

function graph(name: string, numNodes: number, edges: readonly (readonly [number, number])[]): NamedGraph {
  return { name, numNodes, src: edges.map(([src]) => src), dst: edges.map(([, dst]) => dst) };
}

// Zachary 1977, "An information flow model for conflict and fission in small groups": 34 members, 78 friendships.
// Row i lists the friends of member i that come after it.
const karateFriends: readonly (readonly number[])[] = [
  [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31],
  [2, 3, 7, 13, 17, 19, 21, 30],
  [3, 7, 8, 9, 13, 27, 28, 32],
  [7, 12, 13],
  [6, 10],
  [6, 10, 16],
  [16],
  [],
  [30, 32, 33],
  [33],
  [],
  [],
  [],
  [33],
  [32, 33],
  [32, 33],
  [],
  [],
  [32, 33],
  [33],
  [32, 33],
  [],
  [32, 33],
  [25, 27, 29, 32, 33],
  [25, 27, 31],
  [31],
  [29, 33],
  [33],
  [31, 33],
  [32, 33],
  [32, 33],
  [32, 33],
  [33],
  [],
];

/** Zachary's karate club, each friendship once; 34 nodes, 78 edges. */
export const karate: NamedGraph = graph(
  "karate",
  34,
  karateFriends.flatMap((friends, member) => friends.map((friend) => [member, friend] as const)),
);

/** The side each member took when the club split: 0 the instructor's (node 0), 1 the president's (node 33). */
export const karateFactions: readonly number[] = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
];

/** 0 → 1 → 2 → … → 0 */
export function cycle(numNodes: number): NamedGraph {
  return graph(
    `cycle of ${numNodes}`,
    numNodes,
    Array.from({ length: numNodes }, (_, i) => [i, (i + 1) % numNodes] as const),
  );
}

/** Every leaf 1 … numLeaves sends to the hub 0. */
export function star(numLeaves: number): NamedGraph {
  return graph(
    `star of ${numLeaves} leaves`,
    numLeaves + 1,
    Array.from({ length: numLeaves }, (_, i) => [i + 1, 0] as const),
  );
}

/** Nodes without any edge. */
export function isolated(numNodes: number): NamedGraph {
  return graph(`${numNodes} isolated nodes`, numNodes, []);
}

/** The small graphs that every algorithm should survive. */
export const namedGraphs: readonly NamedGraph[] = [karate, cycle(7), star(9), isolated(5), isolated(1)];
