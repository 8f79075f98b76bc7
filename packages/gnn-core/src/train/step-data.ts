import { DistStore } from "../dist-store/dist-store.ts";
import { partitionedData } from "../dist-store/partitioned-data.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { StepContext } from "../spec/define-step.ts";
import { type MadeFeatures, partsData } from "./parts-data.ts";
import type { TrainingData } from "./training-data.ts";

export interface StepData {
  readonly data: TrainingData;
  /** Every rank calls it when it has read what it needs. */
  readonly close: () => Promise<void>;
}

/**
 * The parts as a step's ranks read them: all of them mapped by each (`shared`), or each rank's own (`partitioned`).
 *
 * @throws GnnError SPEC_INVALID when the ranks have no row services; those of `partsData` and `partitionedData`
 */
export async function stepData(
  { rank, connectRows }: Pick<StepContext, "rank" | "connectRows">,
  artifact: ArtifactDir,
  graph: "shared" | "partitioned",
  made: MadeFeatures,
): Promise<StepData> {
  if (graph === "shared") return { data: partsData(artifact, made), close: async () => {} };
  if (!connectRows && rank.worldSize > 1) {
    throw new GnnError("SPEC_INVALID", 'The ranks have no row services here: use "graph": "shared".', {
      place: { pointer: "/resources/graph" },
    });
  }
  const store = connectRows ? new DistStore(rank, await connectRows()) : DistStore.standalone(rank);
  return { data: await partitionedData(store, artifact), close: () => store.close() };
}
