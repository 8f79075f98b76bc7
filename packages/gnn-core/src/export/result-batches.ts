import { join } from "node:path";
import type { ArtifactDir } from "../io/manifest.ts";
import { NpyReader } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { StepProgress } from "../io/step-progress.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { remappedInfo } from "../spec/result-info.ts";
import type { PredictionColumn, PredictionColumns } from "../tasks/known-nodes.ts";
import type { ExportSources } from "./export-sources.ts";
import { knownNodesOf } from "./known-nodes-of.ts";
import { type IdBatch, openNodeIds } from "./node-ids.ts";

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
  graph: ArtifactDir,
  remapped: ArtifactDir,
  progress: StepProgress,
  phase: string,
): AsyncGenerator<EmbeddingBatch> {
  const ids = await openNodeIds(graph);
  const rows = await NpyReader.open(join(remapped.dir, "embeddings.npy"), "float32");
  const dim = rows.rowLength;
  const size = batchRowsOf(dim);
  try {
    for (let start = 0; start < rows.numRows; start += size) {
      yield { ids: await ids.read(start, size), dim, values: await rows.readRows(start, size) };
      progress.report(phase, Math.min(start + size, rows.numRows), rows.numRows, "rows");
    }
  } finally {
    await rows.close();
    await ids.close();
  }
}

/** What the task says of single nodes: the columns of the predictions that `remapped` holds; null: nothing. */
export async function columnsOfTask({
  graph,
  remapped,
  registry,
}: Pick<ExportSources, "graph" | "remapped" | "registry">): Promise<PredictionColumns | null> {
  const { component, options } = resolveTask(inferredTask.parse(remapped.manifest.info).task, registry);
  if (component.seeds !== "nodes") return null;
  const { values: labels } = mapNpy(join(remapped.dir, "labels.npy"), "int32");
  const { classes } = remappedInfo.pick({ classes: true }).parse(remapped.manifest.info);
  return component.columns(options, knownNodesOf(graph, labels, classes));
}

export async function* predictionBatches(sources: ExportSources, phase: string): AsyncGenerator<PredictionBatch> {
  const { graph, remapped, progress } = sources;
  const columnsOf = await columnsOfTask(sources);
  if (!columnsOf) return;
  const ids = await openNodeIds(graph);
  const logits = await NpyReader.open(join(remapped.dir, "logits.npy"), "float32");
  const split = await NpyReader.open(join(remapped.dir, "split.npy"), "int8");
  const width = logits.rowLength;
  const size = batchRowsOf(width);
  try {
    for (let start = 0; start < logits.numRows; start += size) {
      const rows = await logits.readRows(start, size);
      const length = rows.length / width;
      yield {
        ids: await ids.read(start, size),
        split: await split.readRows(start, size),
        columns: columnsOf(start, rows),
      };
      progress.report(phase, start + length, logits.numRows, "rows");
    }
  } finally {
    for (const reader of [ids, logits, split]) await reader.close();
  }
}
