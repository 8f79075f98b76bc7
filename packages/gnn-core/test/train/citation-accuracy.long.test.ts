import { beforeAll, describe, expect, test } from "vitest";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { presetCalled } from "../../src/spec/index.ts";
import { partsData } from "../../src/train/parts-data.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { datasetParts, isDatasetThere } from "../support/real-datasets.ts";
import { temporaryDir } from "../support/run-step.ts";

const twoParts = { partition: { type: "metis", options: { numParts: 2 } } };

/**
 * Test accuracy on Planetoid's public split that each preset must reach, the slow ones in fewer epochs than they have;
 * `script/bench accuracy` has ten seeds of each to their ends.
 */
const expected = [
  ["few-labels-gcn", 0.805, 200],
  ["few-labels-appnp", 0.815, 100],
  ["few-labels-gat", 0.81, 150],
  ["few-labels-sgc", 0.8, 200],
  ["few-labels-sage", 0.785, 200],
  ["few-labels-gin", 0.77, 200],
] as const;

describe.skipIf(!isDatasetThere("cora"))("Cora on the public split", () => {
  let data: TrainingData;
  beforeAll(async () => {
    data = partsData(await datasetParts("cora", await temporaryDir("cora"), { partition: twoParts }));
  });

  test.each(expected)("the preset %s reaches %d in %d epochs at most", async (name, atLeast, maxEpochs) => {
    const { spec } = presetCalled(name);
    const train = { ...spec.train, epochs: Math.min(spec.train?.epochs ?? maxEpochs, maxEpochs), seed: 0 };
    const trainer = await Trainer.create({ data, options: { ...spec, train } });
    const { metrics } = await trainer.fit();
    trainer.dispose();
    console.log(`${name}: ${metrics["test/accuracy"]}`);
    expect(metrics["test/accuracy"]).toBeGreaterThanOrEqual(atLeast);
  });
});
