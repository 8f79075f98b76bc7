import { join } from "node:path";
import type { ArtifactDir } from "../io/manifest.ts";
import { NpyReader } from "../io/npy.ts";
import type { StepProgress } from "../io/step-progress.ts";
import { type IdBatch, openNodeIds } from "./node-ids.ts";
import { type PredictionColumn, predictionColumns } from "./prediction-columns.ts";

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

export async function* predictionBatches(
  graph: ArtifactDir,
  remapped: ArtifactDir,
  progress: StepProgress,
  phase: string,
): AsyncGenerator<PredictionBatch> {
  const columnsOf = predictionColumns(graph, remapped);
  const ids = await openNodeIds(graph);
  const logits = await NpyReader.open(join(remapped.dir, "logits.npy"), "float32");
  const labels = await NpyReader.open(join(remapped.dir, "labels.npy"), "int32");
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
        columns: columnsOf(start, rows, await labels.readRows(start, size)),
      };
      progress.report(phase, start + length, logits.numRows, "rows");
    }
  } finally {
    for (const reader of [ids, logits, labels, split]) await reader.close();
  }
}
