import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { NpyReader, readNpy, writeNpy } from "../io/npy.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { ProjectionInfo } from "../spec/projection-info.ts";
import { principalAxes, projectRows } from "./pca.ts";
import { sampleRows } from "./sample-rows.ts";

/** Draws a sample of the embeddings as a flat map: coordinates and the NodeIndex of each point. */
export async function project(step: StepContext<{ maxPoints: number }>): Promise<ManifestDraft<ProjectionInfo>> {
  const { outDir, options } = step;
  const { dir } = step.inputs["remapped"] as ArtifactDir;
  const progress = new StepProgress(step);
  const labels = (await readNpy(join(dir, "labels.npy"), "int32")).values;
  const rows = sampleRows(labels, options.maxPoints);
  const { values, dim } = await readSample(join(dir, "embeddings.npy"), rows, progress);
  const pca = principalAxes(values, dim);
  await writeNpy(join(outDir, "projection.npy"), "float32", [rows.length, 2], projectRows(values, dim, pca));
  await writeNpy(join(outDir, "rows.npy"), "int32", [rows.length], rows);
  return {
    info: { method: "pca", explained: [...pca.explained], numPoints: rows.length },
    blobs: [
      { name: "projection.npy", dtype: "float32", shape: [rows.length, 2] },
      { name: "rows.npy", dtype: "int32", shape: [rows.length] },
    ],
  };
}

async function readSample(
  path: string,
  rows: Int32Array,
  progress: StepProgress,
): Promise<{ values: Float32Array; dim: number }> {
  const reader = await NpyReader.open(path, "float32");
  const dim = reader.rowLength;
  const values = new Float32Array(rows.length * dim);
  const batchRows = Math.max(1, Math.floor((8 << 20) / 4 / Math.max(1, dim)));
  try {
    let next = 0;
    for (let start = 0; start < reader.numRows; start += batchRows) {
      const batch = await reader.readRows(start, batchRows);
      for (; next < rows.length && rows[next]! < start + batchRows; next++) {
        const at = (rows[next]! - start) * dim;
        values.set(batch.subarray(at, at + dim), next * dim);
      }
      progress.report("read sample", next, rows.length, "rows");
    }
  } finally {
    await reader.close();
  }
  return { values, dim };
}
