import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  CsrFeatureStore,
  type FeatureStore,
  type LinkSplit,
  readNpzCsr,
  splitCode,
  splitLinks,
} from "../../packages/gnn-core/src/index.ts";

/**
 * Cora with the links of `cora-lp/lp_<side>.csv.gz` (src, dst, label) and the pairs that are stored beside those held
 * out, told apart by the label where a job takes files of their own.
 */
export async function coraLinks(datasets: string): Promise<{ split: LinkSplit; features: FeatureStore }> {
  const nodes = await rowsOf(join(datasets, "cora", "nodes.csv.gz"));
  const rowOf = new Map(nodes.map(([id], row) => [id, row]));
  const pairsOf = (rows: readonly string[][]) => ({
    src: Int32Array.from(rows, ([src]) => rowOf.get(src as string) as number),
    dst: Int32Array.from(rows, ([, dst]) => rowOf.get(dst as string) as number),
  });
  const sides = await Promise.all(
    (["train", "val", "test"] as const).map(async (side) => {
      const rows = await rowsOf(join(datasets, "cora-lp", `lp_${side}.csv.gz`));
      const labelled = (label: string) => rows.filter((row) => row[2] === label);
      return { code: splitCode[side], links: labelled("1"), negatives: pairsOf(labelled("0")) };
    }),
  );
  const [, val, test] = sides.map(({ negatives }) => negatives);
  const split = sides.flatMap(({ code, links }) => links.map(() => code));
  const edges = { ...pairsOf(sides.flatMap(({ links }) => links)), numNodes: nodes.length, directed: false };
  const { dim, indptr, indices, data } = await readNpzCsr(join(datasets, "cora", "features.npz"), "features.npz");
  return {
    split: await splitLinks(edges, { sides: { type: "column", split }, negatives: { val: val!, test: test! } }),
    features: new CsrFeatureStore(dim, [{ indptr, indices, values: data }]),
  };
}

async function rowsOf(file: string): Promise<string[][]> {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trim()
    .split("\n");
  return lines.slice(1).map((line) => line.split(","));
}
