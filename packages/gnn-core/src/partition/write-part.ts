import { join } from "node:path";
import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { encodeRows } from "../features/encode-rows.ts";
import { type ColumnScale, type FeatureDtype, storedAs } from "../features/feature-dtype.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { takeLabelSets } from "../graph/label-sets.ts";
import { takeTargets } from "../graph/node-targets.ts";
import { int64At, int64Words, setInt64 } from "../io/int64.ts";
import { writeLabelSets } from "../io/label-set-files.ts";
import { type NpyArrayOf, NpyWriter, type WrittenArray, writeNpy } from "../io/npy.ts";
import type { NpyDtype } from "../io/npy-header.ts";
import type { GraphArtifact } from "./graph-artifact.ts";
import { edgeTypesByPlace } from "./in-types-of-model.ts";
import type { Relabelling } from "./relabel-nodes.ts";

// Rows are gathered and written in pieces of about this many values, so that memory does not grow with the part.
const valuesPerChunk = 1 << 22;

export interface WrittenPart {
  readonly blobs: readonly WrittenArray[];
  readonly numEdges: number;
  /** EdgeId of every edge of the part, int64 [numEdges] */
  readonly edgeMap: BigInt64Array;
}

/** How the feature rows of all parts are stored. */
export interface StoredFeatures {
  readonly dtype: FeatureDtype;
  /** Scale of the columns over all nodes, whichever part they are in; null unless int8 */
  readonly columns: ColumnScale | null;
}

/** Writes the folder `part<p>/` of a `parts` artifact: its nodes' in-edges and rows. */
export async function writePart(
  outDir: string,
  part: number,
  graph: GraphArtifact,
  { nodeMap, globalIds, nodeOffsets }: Relabelling,
  split: Int8Array,
  stored: StoredFeatures,
): Promise<WrittenPart> {
  const first = nodeOffsets[part]!;
  const nodes = nodeMap.subarray(first, nodeOffsets[part + 1]);
  const relations = relationsByPosition(graph);
  const { indptr, indices, edgeMap } = await native(() =>
    loadAddon().relabelColumns(graph.indptr, graph.indices, nodeMap, globalIds, first, nodes.length, relations),
  );
  if (graph.edgeIds) toEdgeIds(edgeMap, graph.edgeIds);
  const blobs: WrittenArray[] = [];
  const write = async <T extends NpyDtype>(name: string, dtype: T, values: NpyArrayOf[T]) => {
    const blob = `part${part}/${name}`;
    await writeNpy(join(outDir, blob), dtype, [values.length], values);
    blobs.push({ name: blob, dtype, shape: [values.length] });
  };
  await write("indptr.npy", "int64", indptr);
  await write("indices.npy", "int32", indices);
  blobs.push(...(await writeEdgeData(outDir, `part${part}`, graph, edgeMap)));
  await write(
    "labels.npy",
    "int32",
    nodes.map((node) => graph.labels[node]!),
  );
  await write(
    "split.npy",
    "int8",
    Int8Array.from(nodes, (node) => split[node]!),
  );
  const { nodeTypes } = graph;
  if (nodeTypes) {
    await write(
      "type.npy",
      "int32",
      nodes.map((node) => nodeTypes[node]!),
    );
  }
  blobs.push(...(await writeTaskRows(outDir, `part${part}`, graph, nodes)));
  const { features } = graph;
  if (features) blobs.push(...(await writeFeatures(outDir, `part${part}/features`, features, nodes, stored)));
  return { blobs, numEdges: indices.length, edgeMap };
}

/** What columns are sorted by before the GlobalIds of their sources, so that the edges of a relation are a slice. */
function relationsByPosition(graph: GraphArtifact): Int32Array | null {
  return graph.facts.edgeTypes.length < 2 ? null : edgeTypesByPlace(graph);
}

/** Puts in place of each edge's position its EdgeId. */
function toEdgeIds(edgeMap: BigInt64Array, edgeIds: Int32Array): void {
  const words = int64Words(edgeMap);
  for (let i = 0; i < edgeMap.length; i++) setInt64(words, i, edgeIds[int64At(words, i)]!);
}

/** Weights, types and features of the part's edges, where the graph has them, in the order of its columns. */
async function writeEdgeData(
  outDir: string,
  folder: string,
  { weights, edgeTypes, edgeFeatures }: GraphArtifact,
  edgeMap: BigInt64Array,
): Promise<WrittenArray[]> {
  const blobs: WrittenArray[] = [];
  if (weights) blobs.push(await writeEdgeRows(outDir, `${folder}/weight.npy`, "float32", weights, [], edgeMap));
  if (edgeTypes) blobs.push(await writeEdgeRows(outDir, `${folder}/edge_type.npy`, "int32", edgeTypes, [], edgeMap));
  if (edgeFeatures) {
    const { dim, values } = edgeFeatures;
    blobs.push(await writeEdgeRows(outDir, `${folder}/edge_features.npy`, "float32", values, [dim], edgeMap));
  }
  return blobs;
}

async function writeEdgeRows(
  outDir: string,
  name: string,
  dtype: "float32" | "int32",
  values: Float32Array | Int32Array,
  rowShape: readonly number[],
  edgeMap: BigInt64Array,
): Promise<WrittenArray> {
  const width = rowShape[0] ?? 1;
  const writer = await NpyWriter.open<NpyDtype>(join(outDir, name), dtype, rowShape);
  try {
    for (const rows of chunksOf(edgeMap, width)) {
      await writer.append(await native(() => loadAddon().takeRows(values, width, rows)));
    }
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  return { name, dtype, shape: await writer.close() };
}

/** Several labels and numbers of the part's nodes, where the graph has them */
async function writeTaskRows(
  outDir: string,
  folder: string,
  { labelSets, targets }: GraphArtifact,
  nodes: Int32Array,
): Promise<WrittenArray[]> {
  const blobs = labelSets ? await writeLabelSets(outDir, folder, takeLabelSets(labelSets, nodes)) : [];
  if (!targets) return blobs;
  const { names, values } = takeTargets(targets, nodes);
  const shape = [nodes.length, names.length];
  await writeNpy(join(outDir, folder, "targets.npy"), "float32", shape, values);
  return [...blobs, { name: `${folder}/targets.npy`, dtype: "float32", shape }];
}

async function writeFeatures(
  outDir: string,
  stem: string,
  features: FeatureStore,
  nodes: Int32Array,
  stored: StoredFeatures,
): Promise<WrittenArray[]> {
  return features.kind === "dense"
    ? [await writeDenseRows(outDir, `${stem}.npy`, features, nodes, stored)]
    : writeCsrRows(outDir, stem, features, nodes, stored);
}

async function writeDenseRows(
  outDir: string,
  name: string,
  features: FeatureStore,
  nodes: Int32Array,
  { dtype, columns }: StoredFeatures,
): Promise<WrittenArray> {
  const { npy } = storedAs[dtype];
  const writer = await NpyWriter.open<NpyDtype>(join(outDir, name), npy, [features.dim]);
  try {
    for (const chunk of chunksOf(nodes, features.dim)) {
      await writer.append(encodeRows(await features.gatherAsync(chunk), chunk, dtype, columns));
    }
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  return { name, dtype: npy, shape: await writer.close() };
}

async function writeCsrRows(
  outDir: string,
  stem: string,
  features: FeatureStore,
  nodes: Int32Array,
  { dtype, columns }: StoredFeatures,
): Promise<WrittenArray[]> {
  const indptr = new BigInt64Array(nodes.length + 1);
  const offsets = int64Words(indptr);
  const { npy } = storedAs[dtype];
  const indices = await NpyWriter.open(join(outDir, stem, "indices.npy"), "int32", []);
  const values = await NpyWriter.open<NpyDtype>(join(outDir, stem, "data.npy"), npy, []);
  try {
    let row = 0;
    for (const chunk of chunksOf(nodes, 64)) {
      const rows = await features.gatherAsync(chunk);
      if (rows.kind !== "csr") continue;
      const base = int64At(offsets, row);
      for (let i = 1; i <= chunk.length; i++) setInt64(offsets, row + i, base + rows.indptr[i]!);
      row += chunk.length;
      await indices.append(rows.indices);
      await values.append(encodeRows(rows, chunk, dtype, columns));
    }
  } catch (error) {
    await Promise.all([indices.abandon(), values.abandon()]);
    throw error;
  }
  await writeNpy(join(outDir, stem, "indptr.npy"), "int64", [indptr.length], indptr);
  return [
    { name: `${stem}/indptr.npy`, dtype: "int64", shape: [indptr.length] },
    { name: `${stem}/indices.npy`, dtype: "int32", shape: await indices.close() },
    { name: `${stem}/data.npy`, dtype: npy, shape: await values.close() },
  ];
}

function* chunksOf<T extends Int32Array | BigInt64Array>(ids: T, valuesPerRow: number): Generator<T> {
  const rows = Math.max(1, Math.floor(valuesPerChunk / Math.max(1, valuesPerRow)));
  for (let start = 0; start < ids.length; start += rows) yield ids.subarray(start, start + rows) as T;
}
