import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { loadParts } from "../partition/load-parts.ts";
import type { TrainingData } from "./training-data.ts";

/**
 * A `parts` artifact as the trainer reads it, mapped from disk and shared by the ranks of the host.
 *
 * @throws GnnError SPEC_INVALID when the graph has no node features; those of `loadParts`
 */
export function partsData(artifact: ArtifactDir): TrainingData {
  const { graph, features, labels, labelSets, targets, split, info } = loadParts(artifact);
  if (!features) {
    throw new GnnError(
      "SPEC_INVALID",
      "The graph has no node features and the models need some; map them and ingest again.",
      {
        place: { pointer: "/features/node" },
      },
    );
  }
  return { graph, features, labels, labelSets, targets, split, numClasses: info.graph.classes.length };
}
