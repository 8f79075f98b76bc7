import type { StepContext } from "../components/define-step.ts";
import type { TaskComponent } from "../components/define-task.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { StepProgress } from "../io/step-progress.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { taskComponentOf } from "../spec/resolve-task.ts";
import { type ExportsInfo, remappedInfo } from "../spec/result-info.ts";
import { graphsAsRows } from "../whole-graphs/graph-rows-artifact.ts";
import { type EmbeddingFormat, exportEmbeddings } from "./export-embeddings.ts";
import { exportPredictions, type PredictionFormat } from "./export-predictions.ts";
import type { EdgeSources, ExportSources } from "./export-sources.ts";
import { nodesByType } from "./nodes-of-type.ts";
import { TableShapes } from "./table-shapes.ts";
import type { EmbeddingColumns } from "./text-rows.ts";

const remappedSize = remappedInfo.pick({ numNodes: true, dim: true });

export interface ExportOptions {
  readonly embeddings: { readonly formats: readonly EmbeddingFormat[]; readonly columns: EmbeddingColumns };
  readonly predictions: { readonly formats: readonly PredictionFormat[] };
}

type Input = "graph" | "remapped" | "recommended" | "edgeRows" | "edgePredictions";

/** What the task learnt from that the rows are of */
function seedsOf({ manifest }: ArtifactDir, registry: Registry): TaskComponent["seeds"] {
  const { task } = inferredTask.parse(manifest.info);
  return taskComponentOf(task, registry).seeds;
}

/**
 * Writes embeddings and predictions, of nodes or of whole graphs, in the formats asked for, in batches: no matrix is
 * ever held whole. Of a graph with types the nodes of each have files beside those of all.
 *
 * @throws GnnError EXPORT_FAILED, EXPORT_NOT_FINITE, CANCELLED
 */
export async function exportResults(step: StepContext<ExportOptions>): Promise<ManifestDraft<ExportsInfo>> {
  const { remapped, ...others } = step.inputs as Record<Input, ArtifactDir>;
  const { outDir, registry } = step;
  const seeds = seedsOf(remapped, registry);
  const graph = seeds === "graphs" ? graphsAsRows(others.graph) : others.graph;
  const recommended = seeds === "edges" ? others.recommended : null;
  if (recommended === undefined) {
    throw new GnnError("MANIFEST_INVALID", "The results are of a task on links, and its new neighbours are missing.");
  }
  const edges = seeds === "edgeRows" ? edgeSources(others) : null;
  const progress = new StepProgress(step);
  const tables = new TableShapes();
  const whole: ExportSources = { graph, remapped, recommended, edges, outDir, registry, progress, tables, only: null };
  const { embeddings, predictions } = step.options;
  try {
    const blobs: ManifestDraft["blobs"][number][] = [];
    for (const sources of [whole, ...nodesByType(graph).map((only) => ({ ...whole, only }))]) {
      for (const format of new Set(embeddings.formats))
        blobs.push(...(await exportEmbeddings(sources, format, embeddings.columns)));
      // New neighbours, pairs and edges are of nodes of any two types.
      const isOfPairs = sources.only !== null && (recommended !== null || edges !== null);
      for (const format of new Set(isOfPairs ? [] : predictions.formats))
        blobs.push(...(await exportPredictions(sources, format)));
    }
    const { numNodes, dim } = remappedSize.parse(remapped.manifest.info);
    const formats = { embeddings: [...embeddings.formats], predictions: [...predictions.formats] };
    return { info: { numNodes, dim, ...formats, columns: embeddings.columns, tables: [...tables.all] }, blobs };
  } catch (cause) {
    if (cause instanceof GnnError) throw cause;
    const found = cause instanceof Error ? cause.message : String(cause);
    throw new GnnError("EXPORT_FAILED", `The export could not be written: ${found}. Check free disk space and retry.`, {
      cause,
    });
  }
}

function edgeSources({ edgeRows, edgePredictions }: Partial<Record<Input, ArtifactDir>>): EdgeSources {
  if (edgeRows && edgePredictions) return { edgeRows, edgePredictions };
  throw new GnnError(
    "MANIFEST_INVALID",
    "The results are of a task on labelled edges, and its predictions are missing.",
  );
}
