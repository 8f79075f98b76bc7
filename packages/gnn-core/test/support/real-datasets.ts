import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ArtifactDir, DatasetSpecInput } from "../../src/index.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { filesArtifactIn, runStepIn } from "./step-runner.ts";

/** Where the development data sets lie beside a checkout of ours, a folder each; they are not part of it. */
export const usualDatasets = fileURLToPath(new URL("../../../../../shared/datasets", import.meta.url));

/** What the folders hold besides `edges.csv.gz` (src, dst) and `nodes.csv.gz` (id, label or labels, split). */
const contents = {
  cora: { features: "features.npz" },
  "coauthor-cs": { features: "features.npz" },
  "amazon-photo": { features: "features.npz" },
  "facebook-pages": { features: "features.npz" },
  tolokers: { features: "features.npy" },
  "blogcatalog-multilabel": { labelSeparator: "|" },
  "deezer-hu": { labelSeparator: "|" },
  "pubmed-structure": {},
  nell: { features: "features.npz" },
  "imdb-hetero": { features: "features.npz" },
} as const satisfies Record<string, { features?: string; labelSeparator?: string }>;

export type DatasetName = keyof typeof contents;

export function isDatasetThere(name: DatasetName, datasets = usualDatasets): boolean {
  return existsSync(join(datasets, name, "nodes.csv.gz"));
}

/** The mapping that a user confirms after the preview. */
export function datasetSpecOf(name: DatasetName, splitColumn = "split"): DatasetSpecInput {
  const { features, labelSeparator }: { features?: string; labelSeparator?: string } = contents[name];
  return {
    edges: { files: ["edges.csv.gz"], src: "src", dst: "dst" },
    nodes: {
      files: ["nodes.csv.gz"],
      id: "id",
      label: labelSeparator ? "labels" : "label",
      ...(labelSeparator && { labelSeparator }),
      split: splitColumn,
      ...(features && { features: { file: features } }),
    },
  };
}

const onePart = { type: "metis", options: { numParts: 1 } };

export interface DatasetPartsOptions {
  /** Folder of the data sets. Default: `usualDatasets` */
  readonly datasets?: string;
  /** Column of the nodes file that is mapped to the split. Default: split */
  readonly splitColumn?: string;
  /** Options of the partition step. Default: one part, the split of that column */
  readonly partition?: object;
}

/** The `graph` of a data set, made by the step ingest as in a job; `into` is an empty folder. */
export async function datasetGraph(
  name: DatasetName,
  into: string,
  { datasets = usualDatasets, splitColumn }: Omit<DatasetPartsOptions, "partition"> = {},
): Promise<ArtifactDir> {
  const spec = datasetSpecOf(name, splitColumn);
  const features = spec.nodes?.features;
  const names = ["edges.csv.gz", "nodes.csv.gz", ...(features && "file" in features ? [features.file] : [])];
  const read = names.map(async (file) => [file, await readFile(join(datasets, name, file))] as const);
  const files = await filesArtifactIn(join(into, "files"), Object.fromEntries(await Promise.all(read)));
  return runStepIn(join(into, "ingest"), ingestStep, { files }, spec);
}

/** The `parts` of a data set, made by the steps ingest and partition as in a job; `into` is an empty folder. */
export async function datasetParts(
  name: DatasetName,
  into: string,
  { partition = { partition: onePart }, ...options }: DatasetPartsOptions = {},
): Promise<ArtifactDir> {
  const graph = await datasetGraph(name, into, options);
  return runStepIn(join(into, "partition"), partitionStep, { graph }, partition);
}
