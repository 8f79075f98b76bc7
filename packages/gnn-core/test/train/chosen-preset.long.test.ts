import { expect, test } from "vitest";
import { Trainer, type TrainerOptions } from "../../src/index.ts";
import { choosePreset } from "../../src/spec/index.ts";
import { type CommunityOptions, communityData } from "./support/community-data.ts";

/** Small graphs of four classes whose nodes link inside their class four times in five. */
const common = { numNodes: 1200, numClasses: 4, dim: 12 };
const graphs = [
  ["few-labels", { ...common, numTrain: 40, degree: 3 }],
  ["few-labels-dense", { ...common, numTrain: 40, degree: 16 }],
  ["many-labels", { ...common, numTrain: 400, degree: 6 }],
] as const;

async function accuracyOf(graph: CommunityOptions, options: TrainerOptions): Promise<number> {
  const data = await communityData(graph);
  const trainer = await Trainer.create({ data, options: { ...options, train: { ...options.train, seed: 0 } } });
  const { metrics } = await trainer.fit();
  trainer.dispose();
  return metrics["test/accuracy"] ?? Number.NaN;
}

test.each(graphs)("the preset chosen for %s is not a point below the library's defaults", async (situation, graph) => {
  const { numNodes, numClasses, dim, numTrain, degree } = graph;
  const { preset } = choosePreset({
    numNodes,
    numEdges: numNodes * degree,
    features: { dim, values: "any" },
    numClasses,
    numTrain,
    homophily: { share: 0.85, expected: 0.25 },
  });
  expect(preset.situation).toBe(situation);
  const chosen = await accuracyOf(graph, preset.spec);
  const byDefault = await accuracyOf(graph, { model: { type: preset.model } });
  console.log(`${preset.name}: ${chosen}, the defaults: ${byDefault}`);
  // A quarter is what guessing gets.
  expect(byDefault).toBeGreaterThan(0.5);
  expect(chosen).toBeGreaterThanOrEqual(byDefault - 0.01);
});
