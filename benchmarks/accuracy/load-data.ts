import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TrainingData, writeCitationGraph } from "../../packages/gnn-core/src/index.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { partitionStep } from "../../packages/gnn-core/src/steps/partition.step.ts";
import { partsData } from "../../packages/gnn-core/src/train/parts-data.ts";
import { type DatasetName, datasetParts, isDatasetThere } from "../../packages/gnn-core/test/support/real-datasets.ts";
import { filesArtifactIn, runStepIn } from "../../packages/gnn-core/test/support/step-runner.ts";
import { shapedData } from "../control-variate/datasets.ts";
import { MadeArtifacts } from "./made-artifacts.ts";
import { type Row, rowOfSeed } from "./row.ts";
import { TablesData } from "./tables-data.ts";

/** Data of the rows by ingest and partition, each way of splitting once. */
export class LoadedData {
  readonly datasets: string;
  readonly #made: MadeArtifacts;
  #shaped: Promise<TrainingData> | null = null;
  /** Data of the rows that map tables of their own */
  readonly tables: TablesData;

  /**
   * @param datasets folder with a folder for each data set
   * @param scratch  folder for the artifacts
   * @param kept     folder of artifacts that outlast `scratch`; null: none does
   */
  constructor(datasets: string, scratch: string, kept: string | null = null) {
    this.datasets = datasets;
    this.#made = new MadeArtifacts(scratch, kept);
    this.tables = new TablesData(datasets, this.#made);
  }

  /** Makes the artifacts of a row, which nothing is trained of yet. */
  async prepare(asked: Row, seed: number): Promise<void> {
    const row = rowOfSeed(asked, seed);
    if (typeof row.data === "object") await this.tables.inputs(row.data, row, seed);
    else if (row.data !== "cora-lp") await this.of(row, seed);
  }

  async of({ data, split, splitColumn, spec }: Row, seed: number): Promise<TrainingData> {
    if (typeof data === "object") throw new Error(`${data.name} has tables of its own, which the steps of a job read.`);
    if (data === "cora-lp") throw new Error("cora-lp has links that are held out, which are no data of nodes.");
    if (data === "reddit-shaped") {
      this.#shaped ??= shapedData(data, 0.02, undefined);
      return this.#shaped;
    }
    const column = splitColumn?.(seed) ?? "split";
    const parts = await this.#made.once([data, column, split], (into) => this.#load(data, column, split, into));
    return partsData(parts, spec.features?.structural ? { structural: { method: "projection", dim: 1, hops: 1 } } : {});
  }

  async #load(
    data: DatasetName | "generated",
    splitColumn: string,
    split: Row["split"],
    into: string,
  ): Promise<ArtifactDir> {
    const partition = { partition: { type: "metis", options: { numParts: 1 } }, ...(split && { split }) };
    if (data === "generated") return generatedParts(into, partition);
    if (!isDatasetThere(data, this.datasets)) throw notThere(data, this.datasets);
    return datasetParts(data, into, { datasets: this.datasets, splitColumn, partition });
  }
}

/** A small made-up citation graph, so that the benchmark can be tried without data sets. */
async function generatedParts(into: string, partition: object): Promise<ArtifactDir> {
  const made = await writeCitationGraph(into, { numNodes: 600, numEdges: 3000, numClasses: 4, featureDim: 8 });
  const files = await filesArtifactIn(join(into, "files"), {
    "edges.csv": await readFile(made.edgesFile),
    "nodes.csv": await readFile(made.nodesFile),
  });
  const columns = Array.from({ length: made.featureDim }, (_, i) => `f${i}`);
  const graph = await runStepIn(
    join(into, "ingest"),
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns } },
    },
  );
  return runStepIn(join(into, "partition"), partitionStep, { graph }, partition);
}

function notThere(name: string, datasets: string): Error {
  return new Error(
    `The data set ${name} is not in ${datasets}: expected ${name}/nodes.csv.gz and ${name}/edges.csv.gz there. The data sets are no part of this repository: name the folder that holds them with --data DIR, or leave their rows out with --only.`,
  );
}
