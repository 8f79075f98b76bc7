import { join } from "node:path";
import type { StepContext } from "../../components/define-step.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import { reverseName } from "../../graph/reverse-name.ts";
import type { DatasetSpec } from "../dataset-spec.ts";
import { Deadline } from "../limits/deadline.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";
import type { ManifestDraft } from "../manifest.ts";
import { NpyWriter, type WrittenArray, writeNpy } from "../npy.ts";
import { StepProgress } from "../step-progress.ts";
import { findUploaded, uploadedFilesOf } from "../uploaded-files.ts";
import { measureDegrees } from "./degrees.ts";
import { type FeatureInfo, type WrittenFeatures, writeFeatureMatrix } from "./feature-sink.ts";
import { measureHomophily } from "./homophily.ts";
import { IdIndex } from "./id-index.ts";
import type { IngestContext } from "./ingest-context.ts";
import type { GraphInfo, IngestReport } from "./ingest-report.ts";
import { ingestWarnings, measureWeights } from "./ingest-warnings.ts";
import { linkValues, requireTrainingRows } from "./link-columns.ts";
import { measureComponents } from "./profile/components.ts";
import { measureDegreeRange } from "./profile/degree-range.ts";
import type { GraphProfile } from "./profile/graph-profile.ts";
import { type EdgeRows, readEdges } from "./read-edges.ts";
import { type NodeRows, readNodes } from "./read-nodes.ts";
import { splitCodes } from "./split-words.ts";
import { isTurned, type StoredEdges, storeEdges } from "./store-edges.ts";
import { writeIds } from "./write-ids.ts";
import { type WrittenLabels, writeLabels } from "./write-labels.ts";

const maxNodes = 2 ** 31 - 1;

/**
 * Turns the uploaded files into a graph artifact, as docs/ARCHITECTURE.md lays it out.
 *
 * @throws GnnError DATASET_* with the user's file name, line and column; CANCELLED
 */
export async function ingest(step: StepContext<DatasetSpec>): Promise<ManifestDraft<GraphInfo>> {
  const { options, outDir, registry, limits = defaultReadingLimits } = step;
  const files = uploadedFilesOf(step.inputs["files"]!);
  const deadline = new Deadline(limits.ingestSeconds);
  const progress = new StepProgress(step);
  const context: IngestContext = { files, registry, outDir, progress, limits, deadline, onFailure: [] };
  try {
    return await ingestFiles(context, options);
  } catch (error) {
    for (const close of context.onFailure) await close();
    throw error;
  }
}

async function ingestFiles(context: IngestContext, spec: DatasetSpec): Promise<ManifestDraft<GraphInfo>> {
  const { outDir, progress } = context;
  const ids = new IdIndex();
  const nodes = spec.nodes ? await readNodes(context, spec.nodes, ids) : null;
  const edges = await readEdges(context, spec, ids);
  checkSize(ids.size);
  requireEdges(spec, edges);
  requireTrainingRows(edges.links, spec.edges.files);
  progress.report("sort edges", 0, null, "edges");
  const stored = await storeEdges(edges, ids.size, spec);
  if (spec.duplicates === "error" && stored.duplicateEdges > 0) throw repeatedEdge(edges, stored, ids);
  const features = await writeFeatures(context, spec, nodes, ids.size);
  const written = [
    ...(await writeGraph(outDir, stored)),
    ...(await writeEdgeData(outDir, edges, stored, spec)),
    ...(await writeLinkColumns(outDir, edges, stored, ids.size)),
    ...(await writeIds(outDir, ids)),
    ...features.blobs,
  ];
  const labels = await writeLabels(outDir, nodes, ids.size);
  const split = await writeSplits(outDir, nodes, ids.size);
  const types = await writeNodeTypes(outDir, nodes, ids.size);
  const described = describe(spec, ids, nodes, edges, stored, features.info, labels, split.counts, types.names);
  const info: GraphInfo = { ...described, profile: profileOf(nodes, edges, stored, progress) };
  progress.report("ingest", 1, 1, "graph");
  return { info, blobs: [...written, ...labels.blobs, split.blob, ...types.blobs] };
}

function checkSize(numNodes: number): void {
  if (numNodes > maxNodes) throw new GnnError("DATASET_TOO_LARGE", `${numNodes} nodes; at most ${maxNodes} fit.`);
}

/** A graph without edges is a mistake in the files or in their mapping: nothing could be learned from its structure. */
function requireEdges({ edges: { files } }: DatasetSpec, edges: EdgeRows): void {
  if (edges.src.length > 0) return;
  const [file] = files as [string];
  if (edges.rowsRead === 0) {
    const message = `${files.join(", ")} ${files.length === 1 ? "has" : "have"} no edge. Upload at least one, or switch the header off if the first line is one.`;
    throw new GnnError("DATASET_FILE_EMPTY", message, { place: { file } });
  }
  const message = `No edge is left of ${edges.rowsRead} rows: ${edges.selfLoops} lead from a node to itself, ${edges.danglingRows} name ids that are not among the nodes. Check the columns chosen for source, destination and node id.`;
  throw new GnnError("DATASET_FILE_EMPTY", message, { place: { file } });
}

function repeatedEdge(edges: EdgeRows, stored: StoredEdges, ids: IdIndex): GnnError {
  const names = [...ids.ids()];
  const row = stored.firstDuplicate;
  const pair = `${names[edges.src[row]!]} → ${names[edges.dst[row]!]}`;
  const message = `The edge ${pair} is there more than once (${stored.duplicateEdges} repeated rows in all). Set duplicates to drop or keep, or remove them.`;
  return new GnnError("DATASET_DUPLICATE", message);
}

async function writeGraph(outDir: string, { indptr, indices }: StoredEdges): Promise<WrittenArray[]> {
  await writeNpy(join(outDir, "graph/indptr.npy"), "int64", [indptr.length], indptr);
  await writeNpy(join(outDir, "graph/indices.npy"), "int32", [indices.length], indices);
  return [
    { name: "graph/indices.npy", dtype: "int32", shape: [indices.length] },
    { name: "graph/indptr.npy", dtype: "int64", shape: [indptr.length] },
  ];
}

/** Weights, types and features of the edges, in the order of the stored edges. */
async function writeEdgeData(
  outDir: string,
  edges: EdgeRows,
  { rows, indices }: StoredEdges,
  spec: DatasetSpec,
): Promise<WrittenArray[]> {
  const blobs: WrittenArray[] = [];
  if (edges.weights) {
    const weights = Float32Array.from(rows, (row) => edges.weights![row]!);
    await writeNpy(join(outDir, "edges/weight.npy"), "float32", [rows.length], weights);
    blobs.push({ name: "edges/weight.npy", dtype: "float32", shape: [rows.length] });
  }
  if (edges.types) {
    const { texts, finalCodes } = edges.typeNames.finish();
    const leadsBack = isTurned(edges, spec);
    const types = Int32Array.from(
      rows,
      (row, e) => finalCodes[edges.types![row]!]! + (leadsBack(indices[e]!, row) ? texts.length : 0),
    );
    await writeNpy(join(outDir, "edges/type.npy"), "int32", [rows.length], types);
    blobs.push({ name: "edges/type.npy", dtype: "int32", shape: [rows.length] });
  }
  if (edges.features) blobs.push(await writeEdgeFeatures(outDir, edges.features, spec.edges.features.length, rows));
  return blobs;
}

/** Sides and times of the edges, where columns or files say so. */
async function writeLinkColumns(
  outDir: string,
  edges: EdgeRows,
  { rows }: StoredEdges,
  numNodes: number,
): Promise<WrittenArray[]> {
  const { split, times } = await linkValues(edges, edges.links, rows, numNodes);
  const shape = [rows.length];
  const blobs: WrittenArray[] = [];
  if (split) {
    await writeNpy(join(outDir, "edges/split.npy"), "int8", shape, split);
    blobs.push({ name: "edges/split.npy", dtype: "int8", shape });
  }
  if (times) {
    await writeNpy(join(outDir, "edges/time.npy"), "int32", shape, times);
    blobs.push({ name: "edges/time.npy", dtype: "int32", shape });
  }
  return blobs;
}

async function writeEdgeFeatures(
  outDir: string,
  features: Float32Array,
  dim: number,
  rows: Uint32Array,
): Promise<WrittenArray> {
  const name = "edges/features.npy";
  const writer = await NpyWriter.open(join(outDir, name), "float32", [dim]);
  const batchRows = 65_536;
  for (let first = 0; first < rows.length; first += batchRows) {
    const batch = rows.subarray(first, first + batchRows);
    const values = new Float32Array(batch.length * dim);
    batch.forEach((row, i) => {
      values.set(features.subarray(row * dim, (row + 1) * dim), i * dim);
    });
    await writer.append(values);
  }
  return { name, dtype: "float32", shape: await writer.close() };
}

async function writeFeatures(
  context: IngestContext,
  spec: DatasetSpec,
  nodes: NodeRows | null,
  numNodes: number,
): Promise<WrittenFeatures> {
  if (nodes?.features) return nodes.features.finish(numNodes);
  const features = spec.nodes?.features;
  if (!nodes || !features || !("file" in features)) return { info: { kind: "none", dim: 0 }, blobs: [] };
  const file = findUploaded(context.files, features.file);
  return writeFeatureMatrix(context, file, nodes.numRows, numNodes);
}

async function writeSplits(outDir: string, nodes: NodeRows | null, numNodes: number) {
  const split = new Int8Array(numNodes);
  split.set(nodes?.splits ?? []);
  const name = "nodes/split.npy";
  await writeNpy(join(outDir, name), "int8", [numNodes], split);
  const counts = { train: 0, val: 0, test: 0, none: 0 };
  for (const code of split) {
    if (code === splitCodes.train) counts.train++;
    else if (code === splitCodes.val) counts.val++;
    else if (code === splitCodes.test) counts.test++;
    else counts.none++;
  }
  const blob: WrittenArray = { name, dtype: "int8", shape: [numNodes] };
  return { blob, counts };
}

/** Types of the nodes where a column says so; −1 where its cell is empty or only the edges name the node. */
async function writeNodeTypes(
  outDir: string,
  nodes: NodeRows | null,
  numNodes: number,
): Promise<{ names: string[]; blobs: WrittenArray[] }> {
  if (!nodes?.types) return { names: ["node"], blobs: [] };
  const { texts, finalCodes } = nodes.typeNames.finish();
  const types = new Int32Array(numNodes).fill(-1);
  for (const [node, code] of nodes.types.entries()) if (code >= 0) types[node] = finalCodes[code]!;
  await writeNpy(join(outDir, "nodes/type.npy"), "int32", [numNodes], types);
  return { names: texts, blobs: [{ name: "nodes/type.npy", dtype: "int32", shape: [numNodes] }] };
}

/** Those of the files, then those of the edges that lead back where they have types of their own. */
function edgeTypesOf({ edges: { reverseTypes, files } }: DatasetSpec, { types, typeNames }: EdgeRows): string[] {
  if (!types) return ["edge"];
  const { texts } = typeNames.finish();
  if (!reverseTypes) return texts;
  const taken = texts.map(reverseName).find((name) => texts.includes(name));
  if (taken === undefined) return [...texts, ...texts.map(reverseName)];
  const message = `The edges have a type "${taken}" of their own, which is what their reverse would be called. Set reverseTypes to false and directed to true: the reverse edges are in the files already.`;
  throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file: files[0] as string } });
}

function profileOf(
  nodes: NodeRows | null,
  edges: EdgeRows,
  { indptr, indices }: StoredEdges,
  progress: StepProgress,
): GraphProfile {
  const numNodes = indptr.length - 1;
  const onProgress = (seen: number) => progress.report("find components", seen, numNodes, "nodes");
  return {
    columns: [...(nodes?.profile.finish() ?? []), ...edges.profile.finish()],
    columnsLeftOut: (nodes?.profile.columnsLeftOut ?? 0) + edges.profile.columnsLeftOut,
    degrees: measureDegreeRange(indptr),
    components: measureComponents(indptr, indices, onProgress),
    sample: { nodes: nodes?.profile.sample ?? { columns: [], rows: [] }, edges: edges.profile.sample },
    tellClass: [...(nodes?.tellClass ?? [])],
  };
}

function describe(
  spec: DatasetSpec,
  ids: IdIndex,
  nodes: NodeRows | null,
  edges: EdgeRows,
  stored: StoredEdges,
  features: FeatureInfo,
  { classes, labelCounts, multiLabel, targets, labels }: WrittenLabels,
  splits: GraphInfo["splits"],
  nodeTypes: string[],
): GraphInfo {
  const { isolatedNodes, degreeHistogram } = measureDegrees(stored.indptr, stored.indices);
  const weights = measureWeights(spec, edges);
  const report: IngestReport = {
    rowsRead: (nodes?.numRows ?? 0) + edges.rowsRead,
    nodeRows: nodes?.numRows ?? 0,
    edgeRows: edges.rowsRead,
    duplicateEdges: stored.duplicateEdges,
    selfLoops: edges.selfLoops,
    danglingIds: edges.danglingIds,
    isolatedNodes,
    badRows: [...edges.dropped],
    warnings: ingestWarnings(spec, ids, nodes, edges, labelCounts, weights),
  };
  return {
    numNodes: ids.size,
    numEdges: stored.indices.length,
    idType: ids.isInt64 ? "int64" : "string",
    directed: spec.directed,
    features,
    classes,
    splits,
    labelCounts,
    multiLabel,
    targets,
    degreeHistogram,
    weights,
    homophily: multiLabel ? null : measureHomophily(stored.indptr, stored.indices, labels, classes.length),
    edgeTypes: edgeTypesOf(spec, edges),
    nodeTypes,
    report,
  };
}
