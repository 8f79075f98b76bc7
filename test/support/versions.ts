import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const numNodes = 200;
const numNew = 20;
const numFeatures = 4;

export interface DatasetVersions {
  /** Files of version 1, and of version 2, which has a tenth more nodes and their edges */
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** How the columns of both are read */
  readonly mapping: Record<string, unknown>;
  /** Version 2: features of node `n<i>`, and its neighbours in both directions */
  readonly rows: readonly (readonly number[])[];
  readonly neighbors: readonly ReadonlySet<number>[];
  /** Nodes of version 2 that version 1 has not */
  readonly newIds: readonly string[];
}

/**
 * A dataset and what it has become the day after: new nodes and edges, and a new class "a", which comes before the
 * others and moves their numbers.
 */
export function writeVersions(dir: string): DatasetVersions {
  const nodes = Array.from({ length: numNodes + numNew }, (_, node) => node);
  const group = (node: number) => node % 2;
  const rows = nodes.map((node) =>
    Array.from({ length: numFeatures }, (_, i) => Number((Math.sin(node * (i + 1)) + 2 * group(node)).toFixed(4))),
  );
  const label = (node: number) => (node >= numNodes && node % 3 === 0 ? "a" : group(node) === 0 ? "b" : "c");
  const split = (node: number) => ["train", "train", "val", "test"][Math.floor(node / 2) % 4];
  const edges = nodes.flatMap((node) => [1, 2, 3].map((i) => [node, (node * 7 + 2 * i + (node % 5)) % nodes.length]));
  const proper = edges.filter(([src, dst]) => src !== dst) as [number, number][];
  const neighbors = nodes.map(() => new Set<number>());
  for (const [src, dst] of proper) {
    neighbors[src]?.add(dst);
    neighbors[dst]?.add(src);
  }
  const write = (version: string, count: number) => {
    const folder = join(dir, version);
    mkdirSync(folder);
    const head = ["id", "label", "split", ...rows[0]!.map((_, i) => `f${i}`)].join(",");
    const lines = nodes
      .slice(0, count)
      .map((node) => [`n${node}`, label(node), split(node), ...(rows[node] ?? [])].join(","));
    const links = proper
      .filter((pair) => pair.every((node) => node < count))
      .map((pair) => pair.map((n) => `n${n}`).join(","));
    writeFileSync(join(folder, "nodes.csv"), `${[head, ...lines].join("\n")}\n`);
    writeFileSync(join(folder, "edges.csv"), `${["src,dst", ...links].join("\n")}\n`);
    return [join(folder, "nodes.csv"), join(folder, "edges.csv")];
  };
  return {
    first: write("1", numNodes),
    second: write("2", nodes.length),
    mapping: {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: {
        files: ["nodes.csv"],
        id: "id",
        label: "label",
        split: "split",
        features: { columns: rows[0]!.map((_, i) => `f${i}`) },
      },
    },
    rows,
    neighbors,
    newIds: nodes.slice(numNodes).map((node) => `n${node}`),
  };
}
