import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkRows } from "../limits/reading-limits.ts";
import { writeNpy } from "../npy.ts";
import { writeNpzCsr } from "../npz.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { furtherFields, namesInTable, tableOfNodes } from "./node-table.ts";
import { arraysOfArchive, arraysOfFiles, type NamedArrays, type NodeTable } from "./numpy-arrays.ts";
import { type ArrayEdges, ArraysDoNotFit, edgesOf, holdEdges, isSparse, wholeOf } from "./numpy-edges.ts";
import { type EdgeFacts, lookAtEdges } from "./numpy-facts.ts";
import { labelNames, labelsOf, type NodeLabels } from "./numpy-labels.ts";
import { columnOfSplit, maskNames, type NodeSplits, splitsOf } from "./numpy-splits.ts";
import { asField, classNamesOf, nodeNamesOf } from "./numpy-texts.ts";
import { sampled, writeLines } from "./ogb-rows.ts";
import { RecordedArrays } from "./recorded-arrays.ts";

const featureNames = ["x", "feat", "feature", "features", "node_feat", "node_features", "attr_matrix"];
/** Each node costs a row, and two numbers may say that there are billions. */
const alwaysListed = 10_000_000;
const nodesPerEdge = 100;
const speaksOfEdges = /(^|[^a-z])(adj|adjacency|edges?|edge_index|graph|links?|network)([^a-z]|$)/i;

/** An archive of arrays among which are edges, by its names; null: it holds none, or a matrix of features. */
export async function numpyArchive(file: { name: string; path: string; bytes: number }, context: ArchiveContext) {
  if (!/\.npz$/i.test(file.name)) return null;
  const arrays = await arraysOfArchive(file, context.limits).catch(() => null);
  arrays?.close();
  if (!arrays || !holdEdges(arrays.names)) return null;
  // A matrix of scipy may as well be one of features: beside other files its name has to speak of edges.
  const isMatrix = isSparse(arrays.names) || arrays.names.includes("format");
  if (isMatrix && context.hasOthers && !speaksOfEdges.test(file.name)) return null;
  const open = ({ open: source, limits }: BundleContext) =>
    source("arrays").then((found) => arraysOfArchive(found!, limits));
  return arraysBundle(file.name, new Map([["arrays", file.name]]), open);
}

interface ArchiveContext extends Pick<BundleContext, "limits"> {
  /** Whether other files were uploaded as well */
  readonly hasOthers: boolean;
}

/**
 * Files of single arrays, in each folder by themselves, one of which is called as edges are; labels and masks beside it
 * belong to its graph.
 */
export function numpyFiles(names: readonly string[], hasTables: boolean): Bundle[] {
  const byFolder = new Map<string, string[]>();
  for (const name of names.filter((one) => /\.npy$/i.test(one))) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), name]);
  }
  return [...byFolder.values()].flatMap((files) => filesOfOneGraph(files, hasTables));
}

function filesOfOneGraph(names: readonly string[], hasTables: boolean): Bundle[] {
  const found = new Map<string, string>();
  for (const name of names) {
    const array = name
      .replace(/^.*\//, "")
      .replace(/\.npy$/i, "")
      .toLowerCase();
    const isOfNodes = [...labelNames, ...maskNames, ...featureNames].includes(array);
    if (holdEdges([array]) || (isOfNodes && !hasTables)) found.set(array, name);
  }
  const edges = [...found].find(([array]) => holdEdges([array]));
  if (!edges) return [];
  const open = async (context: BundleContext) => {
    const files = await Promise.all(
      [...found.keys()].map(async (array) => [array, (await context.open(array))!] as const),
    );
    return arraysOfFiles(new Map(files));
  };
  return [arraysBundle(edges[1], found, open)];
}

/** A graph of the arrays that `open` finds in the files of the bundle. */
export function arraysBundle(
  anchor: string,
  sources: ReadonlyMap<string, string>,
  open: (context: BundleContext) => Promise<NamedArrays>,
): Bundle {
  const write = async (context: BundleContext) => {
    const arrays = new RecordedArrays(await open(context));
    try {
      return await writeGraph(context, arrays, anchor);
    } catch (error) {
      throw error instanceof ArraysDoNotFit ? invalid(anchor, error.message) : error;
    } finally {
      arrays.close();
    }
  };
  return { anchor, sources, write };
}

/** The matrix of features among arrays that hold no edges, which tables beside them may. */
export async function writeFeaturesAlone(context: BundleContext, arrays: NamedArrays): Promise<WrittenBundle> {
  const recorded = new RecordedArrays(arrays);
  const dense = featureNames.find((name) => arrays.names.includes(name));
  // It counts as taken when the first rows alone are looked at, too.
  if (dense !== undefined) await recorded.open(dense);
  const features = await writeFeatures(context, recorded);
  const note = recorded.note();
  return { tables: features === null ? [] : [features], notes: note === null ? [] : [note] };
}

/** @throws ArraysDoNotFit, GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
async function writeGraph(context: BundleContext, arrays: RecordedArrays, file: string): Promise<WrittenBundle> {
  const notes: string[] = [];
  const tables = await writeTables(context, arrays, file, notes);
  const note = arrays.note();
  return { tables, notes: note === null ? notes : [...notes, note] };
}

async function writeTables(
  context: BundleContext,
  arrays: RecordedArrays,
  file: string,
  notes: string[],
): Promise<string[]> {
  const edges = await edgesOf(arrays);
  checkRows(file, edges.numEdges, context.limits);
  const facts = await lookAtEdges(edges, () => context.check(file));
  const labels = await labelsOf(arrays, notes);
  const numNodes = await numNodesOf(arrays, edges, labels);
  if (numNodes !== null && facts.lastNode >= numNodes)
    throw new ArraysDoNotFit(`an edge names node ${facts.lastNode}, and there are ${numNodes}, numbered from 0`);
  const table = numNodes === null ? null : tableOfNodes(arrays, numNodes, notes);
  const names = await (table
    ? namesInTable(table, notes)
    : numNodes === null
      ? null
      : nodeNamesOf(arrays, numNodes, notes));
  await writeLines(join(context.dir, "edges.csv"), edgeLines(context, edges, facts, names));
  if (numNodes === null) return ["edges.csv"];
  if (numNodes > alwaysListed + nodesPerEdge * edges.numEdges)
    throw new ArraysDoNotFit(`${numNodes} nodes are said to be there, and ${edges.numEdges} edges`);
  const splits = await splitsOf(arrays, numNodes, notes);
  const classes = labels && (await classNamesOf(arrays, labels.classes, notes));
  const columns = { names, labels, classes, splits, table };
  await writeLines(join(context.dir, "nodes.csv"), nodeLines(sampled(context, numNodes), columns));
  const features = await writeFeatures(context, arrays);
  return ["edges.csv", "nodes.csv", ...(features ? [features] : [])];
}

type Names = readonly string[] | null;

async function* edgeLines(context: BundleContext, edges: ArrayEdges, facts: EdgeFacts, names: Names) {
  const idOf = (node: number) => (names ? asField(names[node]!) : node);
  if (edges.hasDirection) yield facts.isSymmetric ? "# Undirected graph\n" : "# Directed graph\n";
  yield facts.hasWeights ? "src,dst,weight\n" : "src,dst\n";
  for await (const { src, dst, weight } of edges.pieces(sampled(context, edges.numEdges))) {
    let lines = "";
    for (let i = 0; i < src.length; i++)
      lines += `${idOf(src[i]!)},${idOf(dst[i]!)}${facts.hasWeights ? `,${weight![i]}` : ""}\n`;
    yield lines;
  }
}

interface NodeColumns {
  readonly names: Names;
  readonly labels: NodeLabels | null;
  readonly classes: Names;
  readonly splits: NodeSplits;
  readonly table: NodeTable | null;
}

async function* nodeLines(count: number, { names, labels, classes, splits, table }: NodeColumns) {
  const words = ["", "train", "val", "test"];
  const own = ["id", ...(labels ? ["label"] : []), ...splits.map((_, i) => columnOfSplit(i))];
  const further = table ? furtherFields(table, own, count) : null;
  let lines = `${[...own, ...(further?.names ?? [])].join(",")}\n`;
  for (let node = 0; node < count; node++) {
    lines += names ? asField(names[node]!) : node;
    if (labels) lines += `,${labels.textOf(node, classes)}`;
    for (const split of splits) lines += `,${words[split[node]!]}`;
    if (further) lines += (await further.fields.next()).value;
    lines += "\n";
    if (node % 8192 !== 8191) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

async function numNodesOf(arrays: NamedArrays, edges: ArrayEdges, labels: NodeLabels | null): Promise<number | null> {
  const dense = featureNames.find((name) => arrays.names.includes(name));
  const features = dense === undefined ? null : await arrays.open(dense);
  const rows = features
    ? features.isTransposed
      ? features.shape.at(-1)
      : features.shape[0]
    : await sparseRows(arrays);
  const said = [edges.numNodes, labels?.length ?? null, rows ?? null].filter((count) => count !== null);
  if (new Set(said).size > 1) throw new ArraysDoNotFit(`the arrays speak of ${[...new Set(said)].join(", ")} nodes`);
  return said[0] ?? null;
}

/** How many rows a sparse matrix of features has; null: there is none. */
async function sparseRows(arrays: NamedArrays): Promise<number | null> {
  if (!isSparseFeatures(arrays.names)) return null;
  return (await wholeOf(await arrays.open("attr_shape")))[0] ?? null;
}

function isSparseFeatures(names: readonly string[]): boolean {
  return ["attr_indptr", "attr_indices", "attr_data", "attr_shape"].every((name) => names.includes(name));
}

/** A dense matrix is written as it is, for the reader of matrices; a sparse one as scipy does. */
async function writeFeatures(context: BundleContext, arrays: NamedArrays): Promise<string | null> {
  const dense = featureNames.find((name) => arrays.names.includes(name));
  if (dense !== undefined) {
    const to = join(context.dir, "features.npy");
    // Nobody looks into a matrix before all is built.
    if (context.sampleRows !== null) await writeNpy(to, "float32", [1, 1], Float32Array.of(0));
    else await arrays.memberOf(dense).unpack(to, () => context.check(dense));
    return "features.npy";
  }
  if (!isSparseFeatures(arrays.names)) return null;
  const read = async (name: string) => wholeOf(await arrays.open(`attr_${name}`));
  const [numRows = 0, dim = 0] = await read("shape");
  const indptr = BigInt64Array.from(await read("indptr"), BigInt);
  const [indices, data] = [Int32Array.from(await read("indices")), Float32Array.from(await read("data"))];
  await writeNpzCsr(join(context.dir, "features.npz"), { numRows, dim, indptr, indices, data });
  return "features.npz";
}

function invalid(file: string, found: string): GnnError {
  return new GnnError("DATASET_FORMAT_INVALID", `${file}: ${found}.`, { place: { file } });
}
