import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { splitCode } from "../graph/split-nodes.ts";
import { NpyWriter } from "../io/npy.ts";
import { type GenerationOptions, progressOf } from "./generation-options.ts";
import type { ShapedGraph } from "./shaped-graph.ts";

export interface DatasetFiles {
  readonly edgesFile: string;
  readonly nodesFile: string;
  readonly featuresFile: string;
}

const nodesPerChunk = 4096;
const rowsPerChunk = 2 ** 18;
const splitNames = new Map<number, string>(Object.entries(splitCode).map(([name, code]) => [code, name]));

/**
 * Writes a graph as the files a user uploads: `edges.csv` (src, dst; each undirected pair once), `nodes.csv` (id,
 * label, split; ids such as `n0000002a`) and `features.npy`. Reads the arrays in order, so mapped ones may be larger
 * than memory.
 *
 * @throws GnnError CANCELLED
 */
export async function writeDatasetFiles(
  dir: string,
  data: ShapedGraph,
  options: Pick<GenerationOptions, "signal" | "onEvent"> = {},
): Promise<DatasetFiles> {
  await mkdir(dir, { recursive: true });
  const progress = progressOf(options);
  const report = (phase: string) => (node: number) => progress.report(phase, node, data.graph.numNodes, "nodes");
  const files = {
    edgesFile: join(dir, "edges.csv"),
    nodesFile: join(dir, "nodes.csv"),
    featuresFile: join(dir, "features.npy"),
  };
  await pipeline(Readable.from(edgeLines(data, report("edges.csv"))), createWriteStream(files.edgesFile));
  await pipeline(Readable.from(nodeLines(data, report("nodes.csv"))), createWriteStream(files.nodesFile));
  const features = await NpyWriter.open(files.featuresFile, "float32", [data.featureDim]);
  for (let at = 0; at < data.features.length; at += rowsPerChunk * data.featureDim) {
    report("features.npy")(at / data.featureDim);
    await features.append(data.features.subarray(at, at + rowsPerChunk * data.featureDim));
  }
  await features.close();
  return files;
}

const idOf = (node: number) => `n${node.toString(16).padStart(8, "0")}`;

function* edgeLines({ graph }: ShapedGraph, report: (node: number) => void): Iterable<string> {
  let lines = "src,dst\n";
  for (const { firstNode, numNodes, indptr, indices } of graph.parts) {
    for (let i = 0; i < numNodes; i++) {
      const dst = firstNode + i;
      for (const src of indices.subarray(Number(indptr[i]), Number(indptr[i + 1]))) {
        if (src < dst) lines += `${idOf(src)},${idOf(dst)}\n`;
      }
      if (i % nodesPerChunk !== 0) continue;
      report(dst);
      yield lines;
      lines = "";
    }
  }
  yield lines;
}

function* nodeLines({ labels, split }: ShapedGraph, report: (node: number) => void): Iterable<string> {
  let lines = "id,label,split\n";
  for (const [node, label] of labels.entries()) {
    lines += `${idOf(node)},${label < 0 ? "" : `class${label}`},${splitNames.get(split[node] ?? 0)}\n`;
    if (node % nodesPerChunk !== 0) continue;
    report(node);
    yield lines;
    lines = "";
  }
  yield lines;
}
