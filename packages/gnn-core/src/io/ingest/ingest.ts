import { join } from "node:path";
import type { StepContext } from "../../components/define-step.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import { Uploads } from "../archives/uploads.ts";
import { isDirected, learnedNodes } from "../dataset-labels.ts";
import type { DatasetSpec } from "../dataset-spec.ts";
import { Deadline } from "../limits/deadline.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";
import type { ManifestDraft } from "../manifest.ts";
import { NpyWriter, type WrittenArray, writeNpy } from "../npy.ts";
import { StepProgress } from "../step-progress.ts";
import { uploadedFilesOf } from "../uploaded-files.ts";
import { countRowsByFile } from "./count-rows-by-file.ts";
import { countSchema } from "./count-schema.ts";
import { measureDegrees } from "./degrees.ts";
import { type EdgeTypes, edgeTypesOf } from "./edge-types.ts";
import type { FeatureInfo } from "./feature-sink.ts";
import { edgeSidesFile } from "./held-out-files.ts";
import { measureHomophily } from "./homophily.ts";
import type { IngestContext } from "./ingest-context.ts";
import type { GraphInfo, IngestReport } from "./ingest-report.ts";
import { ingestWarnings, measureWeights } from "./ingest-warnings.ts";
import { linkValues } from "./link-columns.ts";
import { measureComponents } from "./profile/components.ts";
import { measureDegreeRange } from "./profile/degree-range.ts";
import type { GraphProfile } from "./profile/graph-profile.ts";
import { measureRepeatedFeatures } from "./profile/repeated-features.ts";
import type { EdgeRows } from "./read-edges.ts";
import { writeHeldOutPairs } from "./read-held-out-pairs.ts";
import type { NodeRows } from "./read-nodes.ts";
import { type ReadTables, readTables } from "./read-tables.ts";
import { readTypedTables } from "./read-typed-tables.ts";
import { type StoredEdges, type StoreRules, storeEdges } from "./store-edges.ts";
import { tuTables } from "./tu-tables.ts";
import { writeEdgeRows } from "./write-edge-rows.ts";
import { writeGraphs } from "./write-graphs.ts";
import { type IdList, writeIds } from "./write-ids.ts";
import { type WrittenLabels, writeLabels } from "./write-labels.ts";
import { writeSplits } from "./write-splits.ts";

const maxNodes = 2 ** 31 - 1;
/** What is listed of labels that nodes have together; the report counts all of them. */
const mostCombinations = 100;

/**
 * Turns the uploaded files into a graph artifact, as docs/ARCHITECTURE.md lays it out.
 *
 * @throws GnnError DATASET_* with the user's file name, line and column; CANCELLED
 */
export async function ingest(step: StepContext<DatasetSpec>): Promise<ManifestDraft<GraphInfo>> {
  const { options, outDir, scratchDir, registry, limits = defaultReadingLimits } = step;
  const deadline = new Deadline(limits.ingestSeconds);
  const check = (file: string) => deadline.check(file);
  const files = new Uploads(uploadedFilesOf(step.inputs["files"]!), { scratchDir, limits, check });
  const progress = new StepProgress(step);
  const context: IngestContext = {
    files,
    registry,
    outDir,
    scratchDir,
    progress,
    limits,
    deadline,
    notes: new Set(),
    onFailure: [],
  };
  try {
    return await ingestFiles(context, options);
  } catch (error) {
    for (const close of context.onFailure) await close();
    throw error;
  }
}

async function ingestFiles(context: IngestContext, given: DatasetSpec): Promise<ManifestDraft<GraphInfo>> {
  const { outDir, progress } = context;
  const tu = given.tu ? await tuTables(context, given, given.tu) : null;
  const spec = tu?.spec ?? given;
  const read = await (spec.relations ? readTypedTables : readTables)(context, spec);
  const { ids, nodes, edges, rules } = read;
  checkSize(ids.size);
  progress.report("sort edges", 0, null, "edges");
  const stored = await storeEdges(edges, ids.size, rules);
  await tu?.checkEdges(edges, stored);
  if (spec.duplicates === "error" && stored.duplicateEdges > 0) throw repeatedEdge(edges, stored, ids);
  const [file = ""] = edges.files.map((shape) => shape.file);
  const edgeTypes = edgeTypesOf(edges, stored, rules, file);
  const features = await read.writeFeatures();
  const written = [
    ...(await writeGraph(outDir, stored)),
    ...(await writeEdgeData(outDir, edges, stored, edgeTypes)),
    ...(await writeLinkColumns(outDir, edges, stored, { ...rules, numNodes: ids.size })),
    ...(await writeHeldOutPairs(outDir, read.heldOut)),
    ...(await writeIds(outDir, ids)),
    ...features.blobs,
  ];
  const labels = await writeLabels(outDir, nodes, ids.size);
  const split = await writeSplits(outDir, nodes, ids.size);
  const types = await writeNodeTypes(outDir, nodes, ids.size);
  const graphs = read.graphs && (await writeGraphs(outDir, read.graphs, stored));
  const edgeRows = await writeEdgeRows(outDir, edges, stored);
  const typed = { nodeTypes: types.names, nodeCodes: types.codes, ...edgeTypes };
  const schema = countSchema(stored.indptr, stored.indices, typed);
  const described = describe(spec, read, stored, features.info, labels, split.counts, typed);
  const info: GraphInfo = {
    ...described,
    report: { ...described.report, warnings: [...context.notes, ...described.report.warnings] },
    ...(schema && { schema }),
    ...(graphs && { graphs: graphs.info }),
    ...(edgeRows && { edgeRows: edgeRows.info }),
    profile: {
      ...profileOf(nodes, edges, stored, progress),
      repeatedFeatures: measureRepeatedFeatures(outDir, features.info, nodes?.splits ?? []),
    },
  };
  progress.report("ingest", 1, 1, "graph");
  const ofNodes = [...labels.blobs, split.blob, ...types.blobs];
  return { info, blobs: [...written, ...ofNodes, ...(graphs?.blobs ?? []), ...(edgeRows?.blobs ?? [])] };
}

function checkSize(numNodes: number): void {
  if (numNodes > maxNodes) throw new GnnError("DATASET_TOO_LARGE", `${numNodes} nodes; at most ${maxNodes} fit.`);
}

function repeatedEdge(edges: EdgeRows, stored: StoredEdges, ids: IdList): GnnError {
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
  { rows }: StoredEdges,
  { edgeCodes }: EdgeTypes,
): Promise<WrittenArray[]> {
  const blobs: WrittenArray[] = [];
  if (edges.weights) {
    const weights = Float32Array.from(rows, (row) => edges.weights![row]!);
    await writeNpy(join(outDir, "edges/weight.npy"), "float32", [rows.length], weights);
    blobs.push({ name: "edges/weight.npy", dtype: "float32", shape: [rows.length] });
  }
  if (edgeCodes) {
    await writeNpy(join(outDir, "edges/type.npy"), "int32", [rows.length], edgeCodes);
    blobs.push({ name: "edges/type.npy", dtype: "int32", shape: [rows.length] });
  }
  if (edges.features) blobs.push(await writeEdgeFeatures(outDir, edges.features, rows, edges.src.length));
  return blobs;
}

/** Sides and times of the edges, where columns or files say so. */
async function writeLinkColumns(
  outDir: string,
  edges: EdgeRows,
  { rows }: StoredEdges,
  { numNodes, directed, duplicates }: Pick<StoreRules, "directed" | "duplicates"> & { readonly numNodes: number },
): Promise<WrittenArray[]> {
  const isMerged = duplicates !== "keep" && !edges.types;
  const { split, times } = await linkValues(edges, edges.links, rows, { numNodes, directed, isMerged });
  const shape = [rows.length];
  const blobs: WrittenArray[] = [];
  if (split) {
    await writeNpy(join(outDir, edgeSidesFile), "int8", shape, split);
    blobs.push({ name: edgeSidesFile, dtype: "int8", shape });
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
  rows: Uint32Array,
  numRead: number,
): Promise<WrittenArray> {
  const dim = features.length / numRead;
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

/** Types of the nodes where a column says so; −1 where its cell is empty or only the edges name the node. */
async function writeNodeTypes(
  outDir: string,
  nodes: NodeRows | null,
  numNodes: number,
): Promise<{ names: string[]; codes: Int32Array | null; blobs: WrittenArray[] }> {
  if (!nodes?.types) return { names: ["node"], codes: null, blobs: [] };
  const { texts, finalCodes } = nodes.typeNames.finish();
  const types = new Int32Array(numNodes).fill(-1);
  for (const [node, code] of nodes.types.entries()) if (code >= 0) types[node] = finalCodes[code]!;
  await writeNpy(join(outDir, "nodes/type.npy"), "int32", [numNodes], types);
  return { names: texts, codes: types, blobs: [{ name: "nodes/type.npy", dtype: "int32", shape: [numNodes] }] };
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
    tellSplit: [...(nodes?.tellSplit ?? [])],
  };
}

function describe(
  spec: DatasetSpec,
  { ids, hasTypeInIds, nodes, edges, weightColumn, ofIds }: ReadTables,
  stored: StoredEdges,
  features: FeatureInfo,
  { classes, labelCounts, multiLabel, targets, labels }: WrittenLabels,
  splits: GraphInfo["splits"],
  { nodeTypes, edgeTypes }: { readonly nodeTypes: string[]; readonly edgeTypes: string[] },
): GraphInfo {
  const { isolatedNodes, degreeHistogram } = measureDegrees(stored.indptr, stored.indices);
  const weights = measureWeights(weightColumn, edges);
  const combinations = (nodes?.typeCombinations ?? []).slice(0, mostCombinations);
  const replacedRows = nodes?.files.reduce((sum, { replaced = 0 }) => sum + replaced, 0) ?? 0;
  const nodeRows = (nodes?.numRows ?? 0) + replacedRows;
  const byFile = countRowsByFile(spec, nodes?.files ?? [], edges.files);
  const rows = { ...(replacedRows > 0 && { replacedRows }), ...byFile };
  const report: IngestReport = {
    rowsRead: nodeRows + edges.rowsRead,
    nodeRows,
    edgeRows: edges.rowsRead,
    ...rows,
    duplicateEdges: stored.duplicateEdges,
    selfLoops: edges.selfLoops,
    danglingIds: edges.danglingIds,
    isolatedNodes,
    badRows: [...edges.dropped],
    warnings: ingestWarnings(
      { learned: learnedNodes(spec), nodes, edges, rows, numNodes: ids.size, selfLoops: spec.selfLoops, ofIds },
      labelCounts,
      weights,
    ),
  };
  return {
    numNodes: ids.size,
    numEdges: stored.indices.length,
    idType: ids.isInt64 ? "int64" : "string",
    ...(hasTypeInIds && { hasTypeInIds }),
    directed: isDirected(spec),
    features,
    classes,
    splits,
    labelCounts,
    multiLabel,
    targets,
    degreeHistogram,
    weights,
    homophily: multiLabel ? null : measureHomophily(stored.indptr, stored.indices, labels, classes.length),
    edgeTypes,
    nodeTypes,
    ...(combinations.length > 0 && {
      typeCombinations: combinations.map((one) => ({ ...one, labels: [...one.labels] })),
    }),
    report,
  };
}
