import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { FeaturePlacement } from "../../../src/host/feature-placement.ts";
import { trainStepOptions } from "../../../src/spec/index.ts";
import { buildEmulated } from "../../support/cuda-emulated.ts";
import type { GlooRankResult } from "./gloo-rank.ts";
import { type GlooTask, trainGlooRanks } from "./gloo-ranks.ts";

/** Rows do not divide evenly, and neither do the parts. */
const data = { numNodes: 41, numClasses: 3, dim: 6, numTrain: 21, degree: 4, numParts: 2 };

export type TrainSharing = (
  featurePlacement: FeaturePlacement | "auto",
  task?: Partial<GlooTask> & { readonly epochs?: number },
) => Promise<GlooRankResult[]>;

/** For a file whose tests train with ranks in processes of their own, each with an emulated device; two by default. */
export function useShardingRanks(): TrainSharing {
  let scratch = "";
  beforeAll(async () => {
    buildEmulated();
    scratch = await mkdtemp(join(tmpdir(), "hopwise-sharding-"));
  }, 600_000);
  afterAll(() => rm(scratch, { recursive: true, force: true }));
  return async (featurePlacement, { epochs = 2, ...task } = {}) => {
    const options = trainStepOptions.parse({
      task: { target: "label" },
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2 } },
      // The host draws it, so that the graph takes no room on the device.
      sampling: { type: "labor", options: { fanouts: [3, 2] } },
      train: { epochs, batchSize: 10, evaluate: { everyEpochs: epochs } },
      features: { transforms: ["rowNormalize"] },
      featurePlacement,
    });
    const scratchDir = await mkdtemp(join(scratch, "rows-"));
    return trainGlooRanks({ worldSize: 2, data, options, scratchDir, onDevices: true, ...task });
  };
}
