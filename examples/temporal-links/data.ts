import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  type HeldOutLinks,
  type LinkSplit,
  type NodePairs,
  type PairFigures,
  pairFigures,
  splitLinks,
} from "@hopwise/gnn-core";

const held = { val: 0.15, test: 0.15 };

interface Row {
  readonly src: number;
  readonly dst: number;
  readonly time: number;
}

/** Who first met whom, and when: `src`, `dst`, `time` of edges.csv.gz; the newest links are held out. */
export async function linksOfFile(folder: string): Promise<LinkSplit> {
  const text = gunzipSync(await readFile(join(folder, "edges.csv.gz"))).toString("utf8");
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const places = ["src", "dst", "time"].map((name) => head.split(",").indexOf(name));
  const ids = new Map<string, number>();
  const idOf = (name: string) => {
    const known = ids.get(name) ?? ids.size;
    ids.set(name, known);
    return known;
  };
  const rows = lines.map((line): Row => {
    const cells = line.split(",");
    const [src = "", dst = "", time = ""] = places.map((place) => cells[place]);
    return { src: idOf(src), dst: idOf(dst), time: Number(time) };
  });
  return linksOf(rows, ids.size);
}

/** 150 members who are linked with friends of friends, one link after the other. */
export function madeUpLinks(): Promise<LinkSplit> {
  const random = generator(3);
  const numNodes = 150;
  const friends = Array.from({ length: numNodes }, (_, node) => [(node + 1) % numNodes]);
  const anyOf = (nodes: readonly number[]) => nodes[Math.floor(random() * nodes.length)] ?? 0;
  const rows = Array.from({ length: 1_500 }, (_, time): Row => {
    const src = Math.floor(random() * numNodes);
    const dst = anyOf(friends[anyOf(friends[src] ?? [])] ?? []);
    friends[src]?.push(dst);
    friends[dst]?.push(src);
    return { src, dst, time };
  }).filter(({ src, dst }) => src !== dst);
  return linksOf(rows, numNodes);
}

function linksOf(rows: readonly Row[], numNodes: number): Promise<LinkSplit> {
  const end = (name: "src" | "dst") => Int32Array.from(rows, (row) => row[name]);
  return splitLinks(
    { src: end("src"), dst: end("dst"), numNodes, directed: false },
    { sides: { type: "time", times: rows.map(({ time }) => time), ...held }, negatives: { perLink: 1, seed: 0 } },
  );
}

/** Scores by how many neighbours both ends have in common among the training links: no learning. */
export function commonNeighbors({ graph }: LinkSplit, { positives, negatives }: HeldOutLinks): PairFigures {
  const neighbors = Array.from({ length: graph.numNodes }, () => new Set<number>());
  for (const { firstNode, numNodes, indptr, indices } of graph.parts) {
    for (let node = 0; node < numNodes; node++) {
      const column = indices.subarray(Number(indptr[node]), Number(indptr[node + 1]));
      for (const other of column) neighbors[firstNode + node]?.add(other);
    }
  }
  const none = new Set<number>();
  const scoresOf = ({ src, dst }: NodePairs) =>
    Float32Array.from(src, (from, i) => {
      const theirs = neighbors[dst[i] ?? 0] ?? none;
      return [...(neighbors[from] ?? none)].filter((node) => theirs.has(node)).length;
    });
  return pairFigures(scoresOf(positives), scoresOf(negatives));
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
