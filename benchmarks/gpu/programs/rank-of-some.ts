import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { connectGloo } from "../../../packages/gnn-core/src/dist/gloo.ts";
import { parentRendezvous } from "../../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { sharedRowsIn } from "../../../packages/gnn-core/src/dist/shared-rows.ts";
import { placementWords } from "../../../packages/gnn-core/src/host/feature-placement.ts";
import { copyWeights } from "../../../packages/gnn-core/src/train/model-weights.ts";
import { Trainer } from "../../../packages/gnn-core/src/train/trainer.ts";
import { communityData } from "../../../packages/gnn-core/test/train/support/community-data.ts";
import { optionsOf } from "../../../packages/gnn-core/test/train/support/train-ranks.ts";
import { device, isSmall } from "./arguments.ts";
import type { Rank } from "./rank-processes.ts";

export interface RankResult {
  readonly losses: readonly number[];
  readonly weights: readonly number[];
  /** What added up the gradients, as the log of rank 0 tells */
  readonly reducedBy: string;
  /** Where the features lay, as that log tells, and why not in shares */
  readonly placed: string;
}

export interface RankTask {
  /** Where the features are to lie */
  readonly features: "auto" | "sharded";
  /** Parts of the graph: as many as ranks that share the features */
  readonly numParts: number;
}

/** Trains GraphSAGE as one rank of some, whose global batch is the same however many they are. */
export async function trainAsRank({ features, numParts }: RankTask, here: Rank): Promise<RankResult> {
  const { rank, worldSize, scratchDir } = here;
  await selectBackend("cuda", device);
  const collective = await connectGloo({ rank, worldSize, store: parentRendezvous() });
  const size = isSmall
    ? { numNodes: 40, numClasses: 3, dim: 6, numTrain: 20, degree: 4 }
    : { numNodes: 4000, numClasses: 10, dim: 100, numTrain: 1000, degree: 12 };
  const trainer = await Trainer.create({
    data: await communityData({ ...size, numParts }),
    options: optionsOf({
      model: { type: "sage", options: { hiddenFeats: isSmall ? 8 : 128, numLayers: 2, dropout: 0 } },
      sampling: { type: "neighbor", options: { fanouts: [5, 3] } },
      train: { epochs: 4, batchSize: size.numTrain, evaluate: { everyEpochs: 4 } },
      featurePlacement: features,
    }),
    rank: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective },
    sharedRows: sharedRowsIn(scratchDir),
  });
  const losses: number[] = [];
  let reducedBy = "nothing: there is one rank";
  let placed = "";
  await trainer.fit({
    onEvent: (event) => {
      if (event.type === "log" && event.message.startsWith("Gradients")) {
        reducedBy = [event.message, ...Object.values(event.fields ?? {})].join("; ");
      }
      if (event.type === "log" && Object.values(placementWords).includes(event.message)) {
        const whyNot = event.fields?.["whyNotSharded"];
        placed = typeof whyNot === "string" ? `${event.message}; ${whyNot}` : event.message;
      }
      const loss = event.type === "metrics" ? event.values["train/loss"] : undefined;
      if (typeof loss === "number") losses.push(loss);
    },
  });
  const weights = copyWeights(trainer.model).flatMap(({ values }) => [...values]);
  trainer.dispose();
  await collective.close();
  return { losses, weights, reducedBy, placed };
}
