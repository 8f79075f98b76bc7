import type { Registry } from "../components/registry.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { StepProgress } from "../io/step-progress.ts";
import type { NodesOfType } from "./nodes-of-type.ts";
import type { TableShapes } from "./table-shapes.ts";

/** What is predicted of labelled edges, and of which */
export interface EdgeSources {
  readonly edgeRows: ArtifactDir;
  readonly edgePredictions: ArtifactDir;
}

/** What an export reads and where it writes. */
export interface ExportSources {
  readonly graph: ArtifactDir;
  readonly remapped: ArtifactDir;
  /** What a task on links predicts; null: the task is another one */
  readonly recommended: ArtifactDir | null;
  /** What a task on labelled edges predicts; null: the task is another one */
  readonly edges: EdgeSources | null;
  readonly outDir: string;
  readonly progress: StepProgress;
  /** Where the task of the predictions is found */
  readonly registry: Registry;
  /** Where it is kept what the files without a header hold */
  readonly tables: TableShapes;
  /** Whose rows are written, to a file of their own; null: those of all nodes */
  readonly only: NodesOfType | null;
}

/** `embeddings.csv`, or `embeddings.author.csv` of the nodes of one type. */
export function fileName(stem: string, format: string, only: NodesOfType | null): string {
  return [stem, ...(only ? [only.fileTag] : []), format].join(".");
}
