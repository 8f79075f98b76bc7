import { GnnError } from "../errors/gnn-error.ts";
import { noFeatures } from "../features/no-features.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { loadParts } from "../partition/load-parts.ts";
import type { FeatureOptions } from "../spec/train-options.ts";

/** Columns that are made from the edges, or learned */
export interface MadeFeatures extends Partial<Pick<FeatureOptions, "structural" | "embedding">> {
  /** The model reads random rows, and no features */
  readonly areRandom?: boolean;
}

/**
 * A `parts` artifact as the trainer reads it, mapped from disk and shared by the ranks of the host.
 *
 * @param made features that will be made, from the edges or learned: the graph then needs none of its own
 * @throws GnnError SPEC_INVALID when the graph has no node features; those of `loadParts`
 */
export function partsData(artifact: ArtifactDir, made: MadeFeatures = {}): TrainingData {
  const { graph, features, labels, labelSets, targets, split, info } = loadParts(artifact);
  if (!features && !made.structural && !made.embedding && !made.areRandom) {
    throw new GnnError(
      "SPEC_INVALID",
      'The graph has no node features and the models need some: map them and ingest again, have some made from the edges ("structural": {}), or learned ("embedding": {}).',
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
