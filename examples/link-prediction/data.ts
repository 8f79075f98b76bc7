import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  CsrFeatureStore,
  DenseFeatureStore,
  type FeatureStore,
  type LinkSplit,
  type NodePairs,
  readNpzCsr,
  splitCode,
  splitLinks,
} from "@hopwise/gnn-core";

/** A graph cut for link prediction, its features, and what its nodes are called. */
export interface LinkData {
  readonly split: LinkSplit;
  readonly features: FeatureStore;
  readonly names: readonly string[];
}

const numPapers = 400;
const numFields = 10;
const numWords = 40;
const citationsPerPaper = 6;

/** Papers that cite mostly their own field and use its words a little more often; 10 % val, 20 % test. */
export async function madeUpLinks(): Promise<LinkData> {
  const random = generator(1);
  const field = (paper: number) => paper % numFields;
  const src = Int32Array.from({ length: numPapers * citationsPerPaper }, (_, i) => Math.floor(i / citationsPerPaper));
  const dst = src.map((paper) => {
    const first = Math.floor((random() * numPapers) / numFields) * numFields;
    return first + (random() < 0.8 ? field(paper) : Math.floor(random() * numFields));
  });
  const words = Float32Array.from({ length: numPapers * numWords }, (_, i) => {
    const isOfField = (i % numWords) % numFields === field(Math.floor(i / numWords));
    return random() < (isOfField ? 0.25 : 0.1) ? 1 : 0;
  });
  const sides = { type: "random", val: 0.1, test: 0.2, seed: 0 } as const;
  const edges = { src, dst, numNodes: numPapers, directed: false };
  return {
    split: await splitLinks(edges, { sides, negatives: { perLink: 1, seed: 0 } }),
    features: new DenseFeatureStore(numWords, [words]),
    names: Array.from({ length: numPapers }, (_, paper) => `paper-${paper}`),
  };
}

/** Cora with the links and negatives of files: `cora-lp/lp_<side>.csv.gz` (src, dst, label) beside `cora`. */
export async function coraLinks(datasets: string): Promise<LinkData> {
  const names = (await rowsOf(join(datasets, "cora", "nodes.csv.gz"))).map(([id = ""]) => id);
  const [train, val, test] = (await Promise.all(
    (["train", "val", "test"] as const).map((side) => rowsOf(join(datasets, "cora-lp", `lp_${side}.csv.gz`))),
  )) as [string[][], string[][], string[][]];
  const labelled = (rows: string[][], label: string) => rows.filter((row) => row[2] === label);
  const sides = [train, labelled(val, "1"), labelled(test, "1")];
  const codes = [splitCode.train, splitCode.val, splitCode.test];
  const edges = { ...pairsOf(sides.flat(), names), numNodes: names.length, directed: false };
  const negatives = { val: pairsOf(labelled(val, "0"), names), test: pairsOf(labelled(test, "0"), names) };
  const split = sides.flatMap((rows, i) => rows.map(() => codes[i] as number));
  const { dim, indptr, indices, data } = await readNpzCsr(join(datasets, "cora", "features.npz"), "features.npz");
  return {
    split: await splitLinks(edges, { sides: { type: "column", split }, negatives }),
    features: new CsrFeatureStore(dim, [{ indptr, indices, values: data }]),
    names,
  };
}

async function rowsOf(file: string): Promise<string[][]> {
  if (!existsSync(file)) throw new Error(`${file} is not there; name the folder that holds it.`);
  const lines = gunzipSync(await readFile(file))
    .toString("utf8")
    .trimEnd()
    .split(/\r?\n/)
    .slice(1);
  return lines.map((line) => line.split(","));
}

function pairsOf(rows: readonly string[][], names: readonly string[]): NodePairs {
  const rowOf = new Map(names.map((name, row) => [name, row]));
  const end = (at: 0 | 1) => Int32Array.from(rows, (row) => rowOf.get(row[at] ?? "") ?? -1);
  return { src: end(0), dst: end(1) };
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
