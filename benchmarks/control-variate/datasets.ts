import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import {
  type ClassificationData,
  CsrFeatureStore,
  DenseFeatureStore,
  type GraphShapeName,
  graphFromEdges,
  graphShapes,
  readNpzCsr,
  readShapedGraph,
  type ShapedGraph,
  scaleShape,
  shapedGraph,
  splitCode,
} from "../../packages/gnn-core/src/index.ts";

/** Where the real data sets lie beside a checkout of ours (a folder each: nodes.csv.gz, edges.csv.gz, features.npz). */
export const usualDatasets = fileURLToPath(new URL("../../../shared/datasets", import.meta.url));

/** A data set of that folder; both directions of every edge, once, without self-loops. */
export async function readDataset(dir: string, name: string): Promise<ClassificationData> {
  const text = async (file: string) => gunzipSync(await readFile(join(dir, name, file))).toString();
  // id,label,label_name,split,… : what follows may be free text of several lines.
  const nodes = [
    ...(await text("nodes.csv.gz")).matchAll(/^(\d+),(\d+),(?:"[^"]*"|[^,"\n]*),(train|val|test|none)(?:,|$)/gm),
  ];
  const edges = (await text("edges.csv.gz")).trim().split("\n").slice(1);
  const rowOf = new Map(nodes.map(([, id], row) => [id, row]));
  const end = (edge: string, at: 0 | 1) => rowOf.get(edge.split(",")[at]?.trim() ?? "") as number;
  const { numRows, dim, indptr, indices, data } = await readNpzCsr(join(dir, name, "features.npz"), name);
  const labels = Int32Array.from(nodes, ([, , label]) => Number(label));
  if (nodes.length !== numRows) throw new Error(`${name}: ${nodes.length} nodes, ${numRows} rows of features.`);
  return {
    graph: await graphFromEdges({
      src: edges.map((edge) => end(edge, 0)),
      dst: edges.map((edge) => end(edge, 1)),
      numNodes: nodes.length,
      directed: false,
      selfLoops: "drop",
    }),
    features: new CsrFeatureStore(dim, [{ indptr, indices, values: data }]),
    labels,
    split: Int8Array.from(nodes, ([, , , split]) => splitCode[split as keyof typeof splitCode]),
    numClasses: labels.reduce((most, label) => Math.max(most, label + 1), 0),
  };
}

/** A generated graph of a named shape, or one that was written to a folder before. */
export async function shapedData(name: string, scale: number, dir: string | undefined): Promise<ClassificationData> {
  const shape = graphShapes[name as GraphShapeName];
  if (!dir && !shape) throw new Error(`--data ${name}: expected ${Object.keys(graphShapes).join(", ")} or a data set.`);
  const made: ShapedGraph = dir ? await readShapedGraph(dir) : await shapedGraph(scaleShape(shape, scale), 1);
  const { features, featureDim, ...rest } = made;
  return { ...rest, features: new DenseFeatureStore(featureDim, [features]) };
}
