import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  type CscGraph,
  DenseFeatureStore,
  type FeatureStore,
  graphFromEdges,
  type LabelledEdges,
  splitCode,
} from "@hopwise/gnn-core";

/** Ratings that members of a market give each other, cut for learning. */
export interface Ratings {
  /** Messages go along the training edges alone, both ways */
  readonly graph: CscGraph;
  readonly features: FeatureStore;
  readonly edges: LabelledEdges;
  /** int8 [edges], one of `splitCode` */
  readonly split: Int8Array;
  /** float32 [edges] */
  readonly values: Float32Array;
  /** Mean absolute errors of predictions without learning */
  readonly baseline: { readonly median: number; readonly ends: number };
}

interface Row {
  readonly src: number;
  readonly dst: number;
  readonly rating: number;
  readonly side: number;
}

const codes: Readonly<Record<string, number>> = splitCode;

/** bitcoin-otc: 35,592 ratings in the order of their time, the newest 15 % each for val and test. */
export async function bitcoinRatings(folder: string): Promise<Ratings> {
  const text = gunzipSync(await readFile(join(folder, "edges.csv.gz"))).toString("utf8");
  const ids = new Map<string, number>();
  const idOf = (name: string) => {
    const known = ids.get(name) ?? ids.size;
    ids.set(name, known);
    return known;
  };
  const rows = text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line): Row => {
      const [src = "", dst = "", rating = "", , side = ""] = line.split(",");
      return { src: idOf(src), dst: idOf(dst), rating: Number(rating), side: codes[side] ?? 0 };
    });
  return ratingsOf(rows, ids.size);
}

/** 200 members, honest or not: who is honest is rated well by those who are, the last 30 % of the ratings held out. */
export async function madeUpRatings(): Promise<Ratings> {
  const random = generator(3);
  const numNodes = 200;
  const isHonest = Array.from({ length: numNodes }, () => random() < 0.7);
  const rows = Array.from({ length: 4_000 }, (_, i): Row => {
    const [src, shift] = [Math.floor(random() * numNodes), 1 + Math.floor(random() * (numNodes - 1))];
    const dst = (src + shift) % numNodes;
    const rating = (isHonest[src] === isHonest[dst] ? 4 : -4) + 4 * (random() - 0.5);
    const side = i < 2_800 ? splitCode.train : i < 3_400 ? splitCode.val : splitCode.test;
    return { src, dst, rating, side };
  });
  return ratingsOf(rows, numNodes);
}

async function ratingsOf(rows: readonly Row[], numNodes: number): Promise<Ratings> {
  const training = rows.filter(({ side }) => side === splitCode.train);
  const end = (of: readonly Row[], name: "src" | "dst") => Int32Array.from(of, (row) => row[name]);
  const graph = await graphFromEdges({
    src: end(training, "src"),
    dst: end(training, "dst"),
    numNodes,
    directed: false,
  });
  const degrees = new Float32Array(2 * numNodes);
  for (const { src, dst } of training) {
    degrees[2 * src] = (degrees[2 * src] ?? 0) + 1;
    degrees[2 * dst + 1] = (degrees[2 * dst + 1] ?? 0) + 1;
  }
  return {
    graph,
    features: new DenseFeatureStore(2, [degrees.map(Math.log1p)]),
    edges: { src: end(rows, "src"), dst: end(rows, "dst"), features: null, featureDim: 0, directed: true },
    split: Int8Array.from(rows, ({ side }) => side),
    values: Float32Array.from(rows, ({ rating }) => rating),
    baseline: baselineOf(training, rows),
  };
}

/** Errors of the median, and of the mean of what the source gave and the target got, shrunk towards that of all. */
function baselineOf(training: readonly Row[], rows: readonly Row[]): Ratings["baseline"] {
  const mean = training.reduce((sum, { rating }) => sum + rating, 0) / training.length;
  const byEnd = (name: "src" | "dst") => {
    const found = new Map<number, { sum: number; count: number }>();
    for (const row of training) {
      const { sum, count } = found.get(row[name]) ?? { sum: 0, count: 0 };
      found.set(row[name], { sum: sum + row.rating, count: count + 1 });
    }
    return ({ [name]: node }: Row) => {
      const { sum, count } = found.get(node) ?? { sum: 0, count: 0 };
      return (sum + 3 * mean) / (count + 3);
    };
  };
  const [given, got] = [byEnd("src"), byEnd("dst")];
  const tested = rows.filter(({ side }) => side === splitCode.test);
  const maeOf = (predict: (row: Row) => number) =>
    tested.reduce((sum, row) => sum + Math.abs(row.rating - predict(row)), 0) / tested.length;
  const median = training.map(({ rating }) => rating).toSorted((a, b) => a - b)[training.length >> 1] ?? 0;
  return { median: maeOf(() => median), ends: maeOf((row) => (given(row) + got(row)) / 2) };
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
