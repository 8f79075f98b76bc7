import { defineStep } from "../components/define-step.ts";
import { ownPartBlobs } from "../partition/own-part-blobs.ts";
import { frozenWeights, startLayers } from "../spec/start-options.ts";
import { trainStepOptions } from "../spec/train-options.ts";

export const trainStep = defineStep({
  name: "train",
  version: 2,
  title: "Train",
  summary: "Trains the model on all ranks and keeps the weights of the best evaluation.",
  options: trainStepOptions.extend({
    startLayers: startLayers.optional().describe("Takes these from the model among the inputs; left out: new weights"),
    startFreeze: frozenWeights.optional().describe("Weights of that model that stay as they are; left out: none"),
  }),
  inputs: ["parts", "graph"],
  readsIfMade: ["links", "edgeRows", "model", "vectors"],
  output: "model",
  ranks: "all",
  reads: (input, { graph }, ranks) => {
    // The first rank writes whose the learned rows are.
    if (input.kind === "graph") return ranks.firstRank === 0 ? ["nodes/ids", "nodes/type.npy"] : [];
    return input.kind === "parts" && graph === "partitioned" ? ownPartBlobs(input, ranks) : null;
  },
  createSampler: async (context) => (await import("./step-sampler.ts")).createStepSampler(context),
  run: async (context) => (await import("./run-train-step.ts")).runTrainStep(context),
});
