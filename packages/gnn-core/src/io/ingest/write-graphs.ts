import { join } from "node:path";
import { int64At, int64Words } from "../int64.ts";
import { type WrittenArray, writeNpy } from "../npy.ts";
import type { GraphRows } from "./read-graphs.ts";
import type { NodeRows } from "./read-nodes.ts";
import type { SetOfGraphs } from "./set-of-graphs.ts";
import type { StoredEdges } from "./store-edges.ts";
import { writeIds } from "./write-ids.ts";
import { writeLabels } from "./write-labels.ts";
import { writeSplits } from "./write-splits.ts";

const folder = "graphs";

/**
 * Writes what is known of the graphs of a set into the folder `graphs`, which is laid out as an artifact of a graph
 * whose nodes they are, without edges: what reads ids, labels and splits of nodes reads those of graphs there. Beside
 * them:
 *
 *   graphs/offsets.npy int32 [numGraphs + 1]: nodes of graph g · graphs/fold.npy int32 [numGraphs], -1 = in none
 */
export async function writeGraphs(
  outDir: string,
  graphs: GraphRows,
  stored: StoredEdges,
): Promise<{ readonly info: SetOfGraphs; readonly blobs: WrittenArray[] }> {
  const { offsets, rows } = graphs;
  const dir = join(outDir, folder);
  const numGraphs = rows.length;
  const known = inOrder(graphs.known, rows);
  const { isInt64, texts } = idsInOrder(graphs);
  const labels = await writeLabels(dir, known, numGraphs);
  const split = await writeSplits(dir, known, numGraphs);
  const ids = await writeIds(dir, { size: numGraphs, isInt64, ids: () => texts });
  const folds = await writeFolds(dir, graphs);
  const inside = [...labels.blobs, split.blob, ...ids, ...folds.blobs, ...(await writeOffsets(dir, offsets))];
  const info: SetOfGraphs = {
    numGraphs,
    idType: isInt64 ? "int64" : "string",
    classes: labels.classes,
    labelCounts: labels.labelCounts,
    targets: labels.targets,
    splits: split.counts,
    folds: folds.counts,
    ...measureSizes(offsets, stored.indptr),
  };
  return { info, blobs: inside.map((blob) => ({ ...blob, name: `${folder}/${blob.name}` })) };
}

/** What the table knows, by graph: graphs are counted as their nodes follow each other, whatever the table's order. */
function inOrder(known: NodeRows, rows: Int32Array): NodeRows {
  const width = known.targetNames.length;
  const { labels, targets, splits } = known;
  const moved = new Float32Array(targets.length);
  for (const [g, row] of rows.entries()) moved.set(targets.subarray(row * width, (row + 1) * width), g * width);
  const at = (values: Int32Array) => (values.length === 0 ? values : rows.map((row) => values[row] as number));
  return { ...known, labels: at(labels), splits: at(splits), targets: moved };
}

function idsInOrder({ ids, rows }: GraphRows): { readonly isInt64: boolean; readonly texts: readonly string[] } {
  const all = [...ids.ids()];
  return { isInt64: ids.isInt64, texts: Array.from(rows, (row) => all[row] as string) };
}

async function writeFolds(dir: string, { folds, foldNames, rows }: GraphRows) {
  const counts: { name: string; count: number }[] = [];
  if (!folds) return { counts, blobs: [] };
  const { texts, finalCodes } = foldNames.finish();
  counts.push(...texts.map((name) => ({ name, count: 0 })));
  const codes = rows.map((row) => {
    const code = folds[row] as number;
    if (code < 0) return -1;
    const fold = finalCodes[code] as number;
    (counts[fold] as { count: number }).count += 1;
    return fold;
  });
  await writeNpy(join(dir, "fold.npy"), "int32", [codes.length], codes);
  const blobs: WrittenArray[] = [{ name: "fold.npy", dtype: "int32", shape: [codes.length] }];
  return { counts, blobs };
}

async function writeOffsets(dir: string, offsets: Int32Array): Promise<WrittenArray[]> {
  const shape = [offsets.length];
  await writeNpy(join(dir, "offsets.npy"), "int32", shape, offsets);
  await writeNpy(join(dir, "graph/indptr.npy"), "int64", shape, new BigInt64Array(offsets.length));
  await writeNpy(join(dir, "graph/indices.npy"), "int32", [0], new Int32Array());
  return [
    { name: "offsets.npy", dtype: "int32", shape },
    { name: "graph/indptr.npy", dtype: "int64", shape },
    { name: "graph/indices.npy", dtype: "int32", shape: [0] },
  ];
}

function measureSizes(
  offsets: Int32Array,
  indptr: BigInt64Array,
): Pick<SetOfGraphs, "nodes" | "edges" | "sizeHistogram"> {
  const words = int64Words(indptr);
  const [nodes, edges] = [new Spread(), new Spread()];
  const counts: number[] = [];
  for (let g = 0; g + 1 < offsets.length; g++) {
    const [first, end] = [offsets[g] as number, offsets[g + 1] as number];
    nodes.add(end - first);
    edges.add(int64At(words, end) - int64At(words, first));
    // Bins of sizes 1, 2, 4, 8 …
    const bin = Math.floor(Math.log2(end - first));
    while (counts.length <= bin) counts.push(0);
    counts[bin] = (counts[bin] as number) + 1;
  }
  const bins = Array.from({ length: counts.length + 1 }, (_, bin) => 2 ** bin);
  return { nodes: nodes.range, edges: edges.range, sizeHistogram: { edges: bins, counts } };
}

class Spread {
  #count = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = 0;

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  get range() {
    return { min: this.#min, mean: this.#sum / this.#count, max: this.#max };
  }
}
