import { seededRandom } from "../../support/seeded-random.ts";

/**
 * Rings of 4 to 9 nodes, every second one with chords, as tables whose node ids count inside each graph. The table of
 * graphs is in another order than the nodes. Numbers of graphs are 100 and ten times the mean degree.
 */
export function ringTables(numGraphs: number, seed = 9): Record<string, string> {
  const random = seededRandom(seed);
  const nodes = ["node,graph,kind"];
  const edges = ["graph,src,dst"];
  const graphs: string[] = [];
  for (let g = 0; g < numGraphs; g++) {
    const size = 4 + Math.floor(random() * 6);
    const pairs = Array.from({ length: size }, (_, i) => [i, (i + 1) % size]);
    if (g % 2 === 1) for (let i = 0; i < size; i += 2) if (size > 4) pairs.push([i, (i + 2) % size]);
    const distinct = new Set(pairs.map(([a, b]) => `${Math.min(a!, b!)} ${Math.max(a!, b!)}`));
    for (let i = 0; i < size; i++) nodes.push(`${i},g${g},${i % 3 === 0 ? "a" : "b"}`);
    for (const [a, b] of pairs) edges.push(`g${g},${a},${b}`);
    graphs.push(
      `g${g},${g % 2 === 1 ? "chords" : "plain"},${100 + (20 * distinct.size) / size},${Math.floor(g / 2) % 4}`,
    );
  }
  const table = ["graph,class,degree,fold", ...graphs.toReversed()];
  return Object.fromEntries(
    Object.entries({ "nodes.csv": nodes, "edges.csv": edges, "graphs.csv": table }).map(([name, rows]) => [
      name,
      `${rows.join("\n")}\n`,
    ]),
  );
}

/** How the tables are read. */
export const ringMapping = {
  edges: { files: ["edges.csv"], src: "src", dst: "dst", graph: "graph" },
  nodes: { files: ["nodes.csv"], id: "node", graph: "graph", features: { columns: [], oneHot: ["kind"] } },
  graphs: { files: ["graphs.csv"], id: "graph", label: "class", targets: ["degree"], fold: "fold" },
};

/** What is learnt of the rings, and by how small a head. */
export const ringTask = { type: "graphClassification", target: "class", dim: 16, hiddenFeats: 16, testFold: "0" };

/** How many graphs offsets count, if none is empty. */
export function partsOfSpread(offsets: Int32Array): number {
  return offsets.slice(1).filter((end, g) => end > offsets[g]!).length;
}
