import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { type NpyArrayOf, NpyReader, readNpy, writeNpy } from "../io/npy.ts";
import type { NpyDtype } from "../io/npy-header.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { ProjectionInfo } from "../spec/projection-info.ts";
import { remappedInfo } from "../spec/result-info.ts";
import { openNodeIds } from "./node-ids.ts";
import { principalAxes, projectRows } from "./pca.ts";
import { type IdTexts, sampleIds } from "./sample-ids.ts";
import { sampleRows } from "./sample-rows.ts";

/**
 * Draws a sample of the embeddings as a flat map: of each point the coordinates, the NodeIndex, the original id as text
 * and the label as the job used it. Who shows the map needs neither the graph nor the embeddings.
 */
export async function project(step: StepContext<{ maxPoints: number }>): Promise<ManifestDraft<ProjectionInfo>> {
  const { outDir, options } = step;
  const { graph, remapped } = step.inputs as Record<"graph" | "remapped", ArtifactDir>;
  const { classes } = remappedInfo.pick({ classes: true }).parse(remapped.manifest.info);
  const progress = new StepProgress(step);
  const labels = (await readNpy(join(remapped.dir, "labels.npy"), "int32")).values;
  const rows = sampleRows(labels, options.maxPoints);
  const { values, dim } = await readSample(join(remapped.dir, "embeddings.npy"), rows, progress);
  const pca = principalAxes(values, dim);
  const ids = await readIds(graph, rows, progress);
  const write = async <T extends NpyDtype>(name: string, dtype: T, shape: number[], array: NpyArrayOf[T]) => {
    await writeNpy(join(outDir, name), dtype, shape, array);
    return { name, dtype, shape };
  };
  const { length } = rows;
  return {
    info: { method: "pca", explained: [...pca.explained], numPoints: length, classes },
    blobs: [
      await write("projection.npy", "float32", [length, 2], projectRows(values, dim, pca)),
      await write("rows.npy", "int32", [length], rows),
      await write(
        "labels.npy",
        "int32",
        [length],
        rows.map((row) => labels[row]!),
      ),
      await write("ids/offsets.npy", "int32", [length + 1], ids.offsets),
      await write("ids/bytes.npy", "uint8", [ids.bytes.length], ids.bytes),
    ],
  };
}

async function readIds(graph: ArtifactDir, rows: Int32Array, progress: StepProgress): Promise<IdTexts> {
  const ids = await openNodeIds(graph);
  try {
    return await sampleIds(ids, rows, (numDone) => progress.report("read ids", numDone, rows.length, "rows"));
  } finally {
    await ids.close();
  }
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
