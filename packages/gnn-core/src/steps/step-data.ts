import type { RankContext } from "../dist/rank-context.ts";
import { DistStore } from "../dist-store/dist-store.ts";
import { partitionedData } from "../dist-store/partitioned-data.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type MadeFeatures, partsData } from "../train/parts-data.ts";

/**
 * The parts as a step's ranks read them: all of them mapped by each (`shared`), or each rank's own (`partitioned`).
 *
 * @throws GnnError SPEC_INVALID when the ranks have no row services; those of `partsData` and `partitionedData`
 */
export async function stepData(
  rank: RankContext,
  artifact: ArtifactDir,
  graph: "shared" | "partitioned",
  made: MadeFeatures,
): Promise<TrainingData> {
  if (graph === "shared") return partsData(artifact, made);
  if (!rank.connectRows && rank.worldSize > 1) {
    throw new GnnError("SPEC_INVALID", 'The ranks have no row services here: use "graph": "shared".', {
      place: { pointer: "/resources/graph" },
    });
  }
  const store = rank.connectRows ? new DistStore(rank, await rank.connectRows()) : DistStore.standalone(rank);
  return partitionedData(store, artifact, made);
}
