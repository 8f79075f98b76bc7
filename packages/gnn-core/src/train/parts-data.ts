import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { loadParts } from "../partition/load-parts.ts";
import { noFeatures } from "../structural/no-features.ts";
import type { StructuralOptions } from "../structural/structural-options.ts";
import type { TrainingData } from "./training-data.ts";

/**
 * A `parts` artifact as the trainer reads it, mapped from disk and shared by the ranks of the host.
 *
 * @param structural features that will be made from the edges: the graph then needs none of its own
 * @throws GnnError SPEC_INVALID when the graph has no node features; those of `loadParts`
 */
export function partsData(artifact: ArtifactDir, structural: StructuralOptions | null = null): TrainingData {
  const { graph, features, labels, labelSets, targets, split, info } = loadParts(artifact);
  if (!features && !structural) {
    throw new GnnError(
      "SPEC_INVALID",
      'The graph has no node features and the models need some: map them and ingest again, or have some made from the edges ("structural": {}).',
      {
        place: { pointer: "/features/structural" },
      },
    );
  }
  return {
    graph,
    features: features ?? noFeatures(graph.numNodes),
    labels,
    labelSets,
    targets,
    split,
    numClasses: info.graph.classes.length,
  };
}
