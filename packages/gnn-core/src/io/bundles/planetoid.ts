import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeNpzCsr } from "../npz.ts";
import { neighboursOf } from "../pickle/pickle-arrays.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import {
  damaged,
  explained,
  oneHotOf,
  pickleOf,
  planetoidParts,
  readPart,
  source,
  sparseOf,
  testIndex,
} from "./planetoid-parts.ts";
import { joinRows, type SparseRows } from "./planetoid-rows.ts";

/** The rows of x are among those of allx. */
const needed = planetoidParts.filter((part) => part !== "x");
const fileName = /^(.*\bind\.[^/]+?)\.(x|y|tx|ty|allx|ally|graph|test\.index)$/;

/** Nodes behind the training nodes that Planetoid's users validate on */
const numVal = 500;

/**
 * The sets of files of Yang, Cohen and Salakhutdinov (2016), `ind.cora.x` and so on, among the names.
 *
 * https://github.com/kimiyoung/planetoid
 */
export function findPlanetoid(names: readonly string[]): Bundle[] {
  const sets = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, set, part] = fileName.exec(name) ?? [];
    if (set === undefined || part === undefined) continue;
    sets.set(set, (sets.get(set) ?? new Map<string, string>()).set(part, name));
  }
  const whole = [...sets.values()].filter((files) => needed.every((part) => files.has(part)));
  return whole.map((sources) => ({ anchor: sources.get("graph") as string, sources, write: writePlanetoid }));
}

/**
 * Writes the graph, its nodes in the order of their numbers and their features. The first rows of `allx` are those to
 * learn from, as many as `y` has; then 500 to validate; `test.index` says which nodes the rows of `tx` are. In Citeseer
 * some numbers between them have no row: these nodes have neither features nor a class.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
async function writePlanetoid(context: BundleContext): Promise<WrittenBundle> {
  const [trainLabels, testLabels, labels] = await Promise.all(
    (["y", "ty", "ally"] as const).map((part) => readPart(context, part, oneHotOf)),
  );
  const [testRows, rows] = [await readPart(context, "tx", sparseOf), await readPart(context, "allx", sparseOf)];
  const index = await testIndex(context, testRows.numRows);
  const { dir } = context;
  const from = rows.numRows;
  const last = index.reduce((most, node) => Math.max(most, node), -1);
  const misfit = misfitOf(rows, testRows, labels!, testLabels!, trainLabels!, index);
  if (misfit !== null) throw damaged((await source(context, "test.index")).name, misfit);
  const numNodes = last + 1;
  const places = new Map(index.map((node, row) => [node, row]));
  const numRows = Math.min(numNodes, context.sampleRows ?? numNodes);
  await writeNpzCsr(join(dir, "features.npz"), joinRows(rows, testRows, places, numRows));
  const numTrain = trainLabels!.length;
  const classOf = (node: number) => (node < from ? labels![node] : testLabels![places.get(node) ?? -1]) ?? -1;
  const splitOf = (node: number) => {
    if (node < numTrain) return "train";
    return node < Math.min(from, numTrain + numVal) ? "val" : places.has(node) ? "test" : "";
  };
  await writeLines(join(dir, "nodes.csv"), function* () {
    yield "id,label,split\n";
    for (let node = 0; node < numRows; node++)
      yield `${node},${classOf(node) < 0 ? "" : classOf(node)},${splitOf(node)}\n`;
  });
  await writeEdges(context, join(dir, "edges.csv"), numNodes);
  const numBare = numNodes - from - index.length;
  const note = `${numBare} nodes between those of ${(await source(context, "test.index")).name} have no row in the files: they are read without features and without a class.`;
  return { tables: ["edges.csv", "nodes.csv", "features.npz"], notes: numBare > 0 ? [note] : [] };
}

function misfitOf(
  rows: SparseRows,
  testRows: SparseRows,
  labels: readonly number[],
  testLabels: readonly number[],
  trainLabels: readonly number[],
  index: readonly number[],
): string | null {
  if (rows.dim !== testRows.dim) return `its rows have ${testRows.dim} features, those of allx ${rows.dim}`;
  if (labels.length !== rows.numRows) return `allx has ${rows.numRows} rows and ally ${labels.length}`;
  if (testLabels.length !== testRows.numRows) return `tx has ${testRows.numRows} rows and ty ${testLabels.length}`;
  if (trainLabels.length > labels.length) return `y has ${trainLabels.length} rows and ally ${labels.length}`;
  if (new Set(index).size < index.length) return "a node is in it twice";
  const first = index.reduce((least, node) => Math.min(least, node), Number.POSITIVE_INFINITY);
  const last = index.reduce((most, node) => Math.max(most, node), -1);
  if (first < rows.numRows) return `it names the node ${first}, which allx describes too`;
  // Citeseer lacks 15 of 1,015; a number far beyond would be nodes by the million.
  return last - rows.numRows >= 2 * index.length + 1000 ? `it names the node ${last}, far behind the others` : null;
}

async function writeEdges(context: BundleContext, path: string, numNodes: number): Promise<void> {
  const { value, name } = await pickleOf(context, "graph");
  const lines = function* () {
    yield "src,dst\n";
    let left = context.sampleRows ?? Number.POSITIVE_INFINITY;
    for (const [node, neighbours] of explained(name, () => [...neighboursOf(value)])) {
      const beyond = [node, ...neighbours].find((one) => one >= numNodes);
      if (beyond !== undefined) throw damaged(name, `it names the node ${beyond}; there are ${numNodes}`);
      for (const neighbour of neighbours) {
        if (left-- <= 0) return;
        yield `${node},${neighbour}\n`;
      }
    }
  };
  await writeLines(path, lines);
}

async function writeLines(path: string, lines: () => Iterable<string>): Promise<void> {
  await pipeline(Readable.from(lines()), createWriteStream(path, { flags: "wx", mode: 0o600 }));
}
