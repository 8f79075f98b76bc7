import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { NpyReader, readNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { StepProgress } from "../io/step-progress.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import type { MapOptions } from "../spec/map-options.ts";
import type { ProjectionInfo } from "../spec/projection-info.ts";
import { taskComponentOf } from "../spec/resolve-task.ts";
import { remappedInfo } from "../spec/result-info.ts";
import { graphsAsRows } from "../whole-graphs/graph-rows-artifact.ts";
import { ArrayWriter } from "./map/array-writer.ts";
import { drawnEdges } from "./map/drawn-edges.ts";
import { type MapColumn, mapColumns } from "./map/map-columns.ts";
import { nearestRows } from "./map/nearest-rows.ts";
import { umapLayout, umapNeighbors } from "./map/umap-layout.ts";
import { openNodeIds } from "./node-ids.ts";
import { type Pca, principalAxes, projectRows } from "./pca.ts";
import { columnsOfTask } from "./result-batches.ts";
import { type IdTexts, sampleIds } from "./sample-ids.ts";
import { sampleRows } from "./sample-rows.ts";

type Inputs = Record<"graph" | "remapped", ArtifactDir>;

/** Nearest nodes and neighbours that are kept of each point. */
const mostShown = 10;
/** Rows that the axes are found by: more would move them less than the width of a dot, and fill the memory. */
const mostForAxes = 100_000;

/**
 * Draws a sample of the embeddings as a flat map: of each point the coordinates, the NodeIndex, the original id as text
 * and what the job knows of its node. Who shows the map needs neither the graph nor the embeddings. The files:
 *
 *   projection, rows, labels, split, degrees, columns/*   one row for each point, ids/* its id as text
 *   neighbors/offsets, neighbors/points                   its in-neighbours that are on the map, ten at most
 *   detailed                                              the points that have a row in the files below
 *   nearest/points, nearest/similarities, umap            the ten nearest of them by cosine, coordinates by UMAP
 */
export async function project(given: StepContext<MapOptions>): Promise<ManifestDraft<ProjectionInfo>> {
  const step = withRowsOfTask(given);
  const { options } = step;
  const { graph, remapped } = step.inputs as Inputs;
  const { classes } = remappedInfo.pick({ classes: true }).parse(remapped.manifest.info);
  const progress = new StepProgress(step);
  const writer = new ArrayWriter(step.outDir);
  const labels = (await readNpy(join(remapped.dir, "labels.npy"), "int32")).values;
  const rows = sampleRows(labels, options.maxPoints);
  const ofRows = { rows, labels: rows.map((row) => labels[row]!) };
  const embeddings = join(remapped.dir, "embeddings.npy");
  const ofAxes = await readSample(embeddings, sampleRows(labels, Math.min(options.maxPoints, mostForAxes)), progress);
  const pca = principalAxes(ofAxes.values, ofAxes.dim);
  await writer.write("projection", "float32", await projectFile(embeddings, rows, pca, progress), 2);
  await writer.write("rows", "int32", rows);
  await writer.write("labels", "int32", ofRows.labels);
  await writeIds(writer, await readIds(graph, rows, progress));
  await writeGraph(writer, graph, rows);
  const columns = await writeColumns(writer, await columnsOf(step, rows, classes));
  const detailed = sampleRows(ofRows.labels, options.maxDetailed);
  const ofDetailed = await readSample(
    embeddings,
    detailed.map((point) => rows[point]!),
    progress,
  );
  const detail = await writeDetail(writer, ofDetailed, detailed, progress);
  const { explained, effectiveDim } = pca;
  return {
    info: {
      method: "pca",
      explained: [...explained],
      effectiveDim,
      numPoints: rows.length,
      classes,
      columns,
      ...detail,
    },
    blobs: writer.written,
  };
}

/** The rows, and so the points, of a task on whole graphs are graphs. */
function withRowsOfTask(step: StepContext<MapOptions>): StepContext<MapOptions> {
  const { graph, remapped } = step.inputs as Inputs;
  const { task } = inferredTask.parse(remapped.manifest.info);
  if (taskComponentOf(task, step.registry).seeds !== "graphs") return step;
  return { ...step, inputs: { ...step.inputs, graph: graphsAsRows(graph) } };
}

/** What the task says of the nodes, and where they were split. */
async function columnsOf(step: StepContext, rows: Int32Array, classes: readonly string[]): Promise<MapColumn[]> {
  const { graph, remapped } = step.inputs as Inputs;
  const split = mapNpy(join(remapped.dir, "split.npy"), "int8").values;
  const ofTask = await columnsOfTask({ graph, remapped, registry: step.registry });
  const names = ["none", "train", "val", "test"];
  return [
    ...(ofTask ? mapColumns(ofTask, logitsOf(remapped), rows, classes) : []),
    { name: "split", type: "category", names, values: rows.map((row) => split[row]!) },
  ];
}

function logitsOf({ dir }: ArtifactDir) {
  const { values, shape } = mapNpy(join(dir, "logits.npy"), "float32");
  return { values, width: shape[1] ?? 1 };
}

async function writeColumns(writer: ArrayWriter, columns: readonly MapColumn[]): Promise<ProjectionInfo["columns"]> {
  const infos: ProjectionInfo["columns"] = [];
  for (const [i, column] of columns.entries()) {
    const { name, type } = column;
    // Numbered: a column is named after a user's class, which may be anything.
    const blob =
      type === "category"
        ? await writer.write(`columns/${i}`, "int32", column.values)
        : await writer.write(`columns/${i}`, "float32", column.values);
    infos.push({ name, type, names: type === "category" ? [...column.names] : [], blob });
  }
  return infos;
}

async function writeIds(writer: ArrayWriter, ids: IdTexts): Promise<void> {
  await writer.write("ids/offsets", "int32", ids.offsets);
  await writer.write("ids/bytes", "uint8", ids.bytes);
}

async function writeGraph(writer: ArrayWriter, graph: ArtifactDir, rows: Int32Array): Promise<void> {
  const indptr = mapNpy(join(graph.dir, "graph/indptr.npy"), "int64").values;
  const indices = mapNpy(join(graph.dir, "graph/indices.npy"), "int32").values;
  const { degrees, offsets, points } = drawnEdges({ indptr, indices }, rows, mostShown);
  await writer.write("degrees", "int32", degrees);
  await writer.write("neighbors/offsets", "int32", offsets);
  await writer.write("neighbors/points", "int32", points);
}

interface Embeddings {
  readonly values: Float32Array;
  readonly dim: number;
}

/** @param detailed points, ascending, in the order of their embeddings */
async function writeDetail(
  writer: ArrayWriter,
  { values, dim }: Embeddings,
  detailed: Int32Array,
  progress: StepProgress,
): Promise<Pick<ProjectionInfo, "numDetailed" | "numNearest" | "hasUmap">> {
  const total = detailed.length;
  const nearest = await nearestRows(values, dim, Math.max(mostShown, umapNeighbors), (numDone) =>
    progress.report("find nearest nodes", numDone, total, "rows"),
  );
  const shown = Math.min(mostShown, nearest.count);
  const isShown = (_: unknown, at: number) => at % nearest.count < shown;
  await writer.write("detailed", "int32", detailed);
  await writer.write(
    "nearest/points",
    "int32",
    nearest.rows.filter(isShown).map((row) => detailed[row]!),
    shown,
  );
  await writer.write("nearest/similarities", "float32", nearest.similarities.filter(isShown), shown);
  const layout = await umapLayout(nearest, (done, epochs) =>
    progress.report("lay out by UMAP", done, epochs, "epochs"),
  );
  if (layout) await writer.write("umap", "float32", layout, 2);
  return { numDetailed: detailed.length, numNearest: shown, hasUmap: layout !== null };
}

async function readIds(graph: ArtifactDir, rows: Int32Array, progress: StepProgress): Promise<IdTexts> {
  const ids = await openNodeIds(graph);
  try {
    return await sampleIds(ids, rows, (numDone) => progress.report("read ids", numDone, rows.length, "rows"));
  } finally {
    await ids.close();
  }
}

/** @param rows ascending */
async function readSample(path: string, rows: Int32Array, progress: StepProgress): Promise<Embeddings> {
  const reader = await NpyReader.open(path, "float32");
  const dim = reader.rowLength;
  const values = new Float32Array(rows.length * dim);
  try {
    await forChosenRows(reader, rows, progress, (row, i) => values.set(row, i * dim));
  } finally {
    await reader.close();
  }
  return { values, dim };
}

/** Places of the rows on the plane of two axes; of the embeddings a few MB are in memory at a time. */
async function projectFile(path: string, rows: Int32Array, pca: Pca, progress: StepProgress): Promise<Float32Array> {
  const reader = await NpyReader.open(path, "float32");
  const points = new Float32Array(rows.length * 2);
  try {
    await forChosenRows(reader, rows, progress, (row, i) => points.set(projectRows(row, row.length, pca), 2 * i));
  } finally {
    await reader.close();
  }
  return points;
}

/** @param rows ascending */
async function forChosenRows(
  reader: NpyReader<"float32">,
  rows: Int32Array,
  progress: StepProgress,
  visit: (row: Float32Array, i: number) => void,
): Promise<void> {
  const dim = reader.rowLength;
  const batchRows = Math.max(1, Math.floor((8 << 20) / 4 / Math.max(1, dim)));
  let next = 0;
  for (let start = 0; start < reader.numRows; start += batchRows) {
    const batch = await reader.readRows(start, batchRows);
    for (; next < rows.length && rows[next]! < start + batchRows; next++) {
      const at = (rows[next]! - start) * dim;
      visit(batch.subarray(at, at + dim), next);
    }
    progress.report("read sample", next, rows.length, "rows");
  }
}
