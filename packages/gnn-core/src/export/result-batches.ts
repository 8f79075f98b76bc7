import { join } from "node:path";
import { predictsRows } from "../components/define-task.ts";
import { NpyReader } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { remappedInfo } from "../spec/result-info.ts";
import type { PredictionColumn, PredictionColumns } from "../tasks/known-nodes.ts";
import { atTemperature } from "../tasks/temperature.ts";
import type { ExportSources } from "./export-sources.ts";
import { knownNodesOf } from "./known-nodes-of.ts";
import { type IdBatch, openNodeIds } from "./node-ids.ts";
import { idsOfType, type NodesOfType, rowsOfType } from "./nodes-of-type.ts";

/** Rows of an export, in NodeIndex order. */
export interface EmbeddingBatch {
  readonly ids: IdBatch;
  readonly dim: number;
  /** float32 [ids.length, dim] */
  readonly values: Float32Array;
}

export interface PredictionBatch {
  readonly ids: IdBatch;
  /** int8 split codes */
  readonly split: Int8Array;
  /** What the task says of these nodes */
  readonly columns: readonly PredictionColumn[];
}

const batchBytes = 8 << 20;

/** Rows of `dim` float32 that make about 8 MiB. */
export function batchRowsOf(dim: number): number {
  return Math.min(65_536, Math.max(1, Math.floor(batchBytes / 4 / Math.max(1, dim))));
}

export async function* embeddingBatches(
  { graph, remapped, progress, only }: ExportSources,
  phase: string,
): AsyncGenerator<EmbeddingBatch> {
  const ids = await openNodeIds(graph);
  const rows = await NpyReader.open(join(remapped.dir, "embeddings.npy"), "float32");
  const dim = rows.rowLength;
  const size = batchRowsOf(dim);
  try {
    const [first, end] = only ? [only.first, only.end] : [0, rows.numRows];
    for (let start = first; start < end; start += size) {
      const count = Math.min(size, end - start);
      const batch = { ids: await ids.read(start, count), dim, values: await rows.readRows(start, count) };
      yield only ? embeddingsOfType(batch, start, only) : batch;
      progress.report(phase, start + count - first, end - first, "rows");
    }
  } finally {
    await rows.close();
    await ids.close();
  }
}

/**
 * What the task says of single nodes: the columns of the predictions that `remapped` holds; null: nothing.
 * Probabilities are those at the model's temperature.
 */
export async function columnsOfTask({
  graph,
  remapped,
  registry,
}: Pick<ExportSources, "graph" | "remapped" | "registry">): Promise<PredictionColumns | null> {
  const { task, temperature } = inferredTask.parse(remapped.manifest.info);
  const { component, options } = resolveTask(task, registry);
  if (!predictsRows(component)) return null;
  const { values: labels } = mapNpy(join(remapped.dir, "labels.npy"), "int32");
  const { classes } = remappedInfo.pick({ classes: true }).parse(remapped.manifest.info);
  const columnsOf = await component.columns(options, knownNodesOf(graph, labels, classes));
  return (start, outputs) => columnsOf(start, atTemperature(outputs, temperature));
}

export async function* predictionBatches(sources: ExportSources, phase: string): AsyncGenerator<PredictionBatch> {
  const { graph, remapped, progress, only } = sources;
  const columnsOf = await columnsOfTask(sources);
  if (!columnsOf) return;
  const ids = await openNodeIds(graph);
  const logits = await NpyReader.open(join(remapped.dir, "logits.npy"), "float32");
  const split = await NpyReader.open(join(remapped.dir, "split.npy"), "int8");
  const width = logits.rowLength;
  const size = batchRowsOf(width);
  try {
    const [first, end] = only ? [only.first, only.end] : [0, logits.numRows];
    for (let start = first; start < end; start += size) {
      const count = Math.min(size, end - start);
      const batch = {
        ids: await ids.read(start, count),
        split: await split.readRows(start, count),
        columns: columnsOf(start, await logits.readRows(start, count)),
      };
      yield only ? predictionsOfType(batch, start, only) : batch;
      progress.report(phase, start + count - first, end - first, "rows");
    }
  } finally {
    for (const reader of [ids, logits, split]) await reader.close();
  }
}

/** The rows of a batch, which begins at a node, that are of the type. */
function embeddingsOfType({ ids, dim, values }: EmbeddingBatch, start: number, only: NodesOfType): EmbeddingBatch {
  const rows = rowsOfType(only, start, ids.length);
  const kept = new Float32Array(rows.length * dim);
  for (const [to, row] of rows.entries()) kept.set(values.subarray(row * dim, (row + 1) * dim), to * dim);
  return { ids: idsOfType(ids, rows, only), dim, values: kept };
}

function predictionsOfType(
  { ids, split, columns }: PredictionBatch,
  start: number,
  only: NodesOfType,
): PredictionBatch {
  const rows = rowsOfType(only, start, ids.length);
  const kept = columns.map(
    (column): PredictionColumn =>
      column.type === "text"
        ? { ...column, values: Array.from(rows, (row) => column.values[row] ?? null) }
        : { ...column, values: Float32Array.from(rows, (row) => column.values[row]!) },
  );
  return { ids: idsOfType(ids, rows, only), split: Int8Array.from(rows, (row) => split[row]!), columns: kept };
}
