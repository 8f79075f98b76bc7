import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DenseFeatureStore, type FeatureStore, type Fold, type GraphSet, graphSetOf } from "@hopwise/gnn-core";

/** Graphs with a class each, and the folds that they are judged in. */
export interface GraphData {
  readonly set: GraphSet;
  readonly features: FeatureStore;
  readonly labels: Int32Array;
  readonly numClasses: number;
  readonly folds: readonly Fold[];
}

const numMadeUp = 80;

/** Rings of 5 to 10 nodes, every second one with chords: only the edges tell the classes apart. */
export async function madeUpGraphs(): Promise<GraphData> {
  const [graphOf, src, dst]: [string[], number[], number[]] = [[], [], []];
  const labels = Int32Array.from({ length: numMadeUp }, (_, g) => g % 2);
  for (const [g, label] of labels.entries()) {
    const first = graphOf.length;
    const size = 5 + (Math.imul(g, 7) % 6);
    for (let i = 0; i < size; i++) {
      graphOf.push(`ring-${g}`);
      for (const step of label === 1 && i % 2 === 0 ? [1, 2] : [1]) {
        src.push(first + i);
        dst.push(first + ((i + step) % size));
      }
    }
  }
  const set = await graphSetOf({ graphOf, src, dst, directed: false });
  const idsAt = (places: readonly number[]) => set.ids.filter((_, g) => places.includes(g % 8));
  return {
    set,
    features: new DenseFeatureStore(1, [new Float32Array(set.graph.numNodes).fill(1)]),
    labels,
    numClasses: 2,
    folds: [
      { train: idsAt([0, 1, 2, 3]), validation: idsAt([4, 5]), test: idsAt([6, 7]) },
      { train: idsAt([4, 5, 6, 7]), validation: idsAt([0, 1]), test: idsAt([2, 3]) },
    ],
  };
}

/**
 * `graphs.csv.gz` (graph, label), `nodes.csv.gz` (graph, node inside the graph, label) and `edges.csv.gz` (graph, src,
 * dst inside the graph), with lists of folds by name in `splits.json`.
 */
export async function filesOf(folder: string, splits = "fair"): Promise<GraphData> {
  const [graphs, nodes, edges] = (await Promise.all(
    ["graphs.csv.gz", "nodes.csv.gz", "edges.csv.gz"].map((file) => rowsOf(join(folder, file))),
  )) as [number[][], number[][], number[][]];
  const firstNode = new Map<number, number>();
  for (const [row, [graph = 0]] of nodes.entries()) if (!firstNode.has(graph)) firstNode.set(graph, row);
  const end = (column: 1 | 2) => edges.map((row) => (firstNode.get(row[0] ?? -1) ?? 0) + (row[column] ?? 0));
  const set = await graphSetOf({
    graphOf: nodes.map(([graph = 0]) => graph),
    ids: graphs.map(([graph = 0]) => graph),
    src: end(1),
    dst: end(2),
    directed: false,
  });
  const kinds = nodes.map(([, , kind = 0]) => kind);
  const dim = Math.max(...new Set(kinds)) + 1;
  const hot = new Float32Array(kinds.length * dim);
  for (const [node, kind] of kinds.entries()) hot[node * dim + kind] = 1;
  const labels = Int32Array.from(graphs, ([, label = 0]) => label);
  const named = JSON.parse(await readFile(join(folder, "splits.json"), "utf8")) as Record<string, Fold[]>;
  const folds = named[splits];
  if (!folds) throw new Error(`splits.json has no ${splits}; it has ${Object.keys(named).join(", ")}.`);
  return {
    set,
    features: new DenseFeatureStore(dim, [hot]),
    labels,
    numClasses: Math.max(...new Set(labels)) + 1,
    folds: folds.map(withValidation),
  };
}

/** Where a fold names no validation graphs, every tenth of its training graphs. */
function withValidation({ train, test, validation }: Fold): Fold {
  if (validation) return { train, test, validation };
  return {
    train: train.filter((_, i) => i % 10 !== 0),
    validation: train.filter((_, i) => i % 10 === 0),
    test,
  };
}

async function rowsOf(file: string): Promise<number[][]> {
  if (!existsSync(file)) throw new Error(`${file} is not there; name the folder that holds it.`);
  const lines = gunzipSync(await readFile(file))
    .toString("utf8")
    .trimEnd()
    .split(/\r?\n/)
    .slice(1);
  return lines.map((line) => line.split(",").map(Number));
}
