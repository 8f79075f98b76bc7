import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DenseFeatureStore,
  type GraphShapeName,
  graphShapes,
  readShapedGraph,
  type ShapedGraph,
  scaleShape,
  shapedGraph,
  type TrainingData,
} from "../../packages/gnn-core/src/index.ts";
import { partsData } from "../../packages/gnn-core/src/train/parts-data.ts";
import { type DatasetName, datasetParts, isDatasetThere } from "../../packages/gnn-core/test/support/real-datasets.ts";

/** A data set of that folder by ingest and partition, one part. */
export async function realData(datasets: string, name: string): Promise<TrainingData> {
  if (!isDatasetThere(name as DatasetName, datasets)) {
    throw new Error(`--data ${name}: expected ${Object.keys(graphShapes).join(", ")}, or a data set in ${datasets}.`);
  }
  const scratch = await mkdtemp(join(tmpdir(), "hopwise-control-variate-"));
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true })); // its files stay mapped
  return partsData(await datasetParts(name as DatasetName, scratch, { datasets }));
}

/** A generated graph of a named shape, or one that was written to a folder before. */
export async function shapedData(name: string, scale: number, dir: string | undefined): Promise<TrainingData> {
  const shape = graphShapes[name as GraphShapeName];
  if (!dir && !shape) throw new Error(`--data ${name}: expected one of ${Object.keys(graphShapes).join(", ")}.`);
  const made: ShapedGraph = dir ? await readShapedGraph(dir) : await shapedGraph(scaleShape(shape, scale), 1);
  const { features, featureDim, ...rest } = made;
  return { ...rest, features: new DenseFeatureStore(featureDim, [features]) };
}
