import { expect, test } from "vitest";
import { Trainer, type TrainerOptions } from "../../src/index.ts";
import { choosePreset, jobPresets } from "../../src/spec/index.ts";
import { type CommunityOptions, communityData } from "./support/community-data.ts";

/** Small graphs of four classes whose nodes link inside their class four times in five. */
const common = { numNodes: 1200, numClasses: 4, dim: 12 };
const graphs = [
  ["few-labels", { ...common, numTrain: 40, degree: 3 }],
  ["few-labels-dense", { ...common, numTrain: 40, degree: 16 }],
  ["many-labels", { ...common, numTrain: 400, degree: 6 }],
] as const;

async function figureOf(graph: CommunityOptions, options: TrainerOptions, name: string): Promise<number> {
  const data = await communityData(graph);
  const trainer = await Trainer.create({ data, options: { ...options, train: { ...options.train, seed: 0 } } });
  const { metrics } = await trainer.fit();
  trainer.dispose();
  return metrics[name] ?? Number.NaN;
}

const accuracyOf = (graph: CommunityOptions, options: TrainerOptions) => figureOf(graph, options, "test/accuracy");

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

const withoutColumns = jobPresets.filter(({ spec }) => !spec.features?.structural);

test.each(withoutColumns.map((preset) => [preset.name, preset] as const))("%s trains", async (_name, { spec }) => {
  const [, graph] = graphs[2];
  const train = { ...spec.train, epochs: Math.min(2, spec.train?.epochs ?? 2), evaluate: { everyEpochs: 1 } };
  const { task, ...sections } = spec;
  // Links are split by a step of jobs before they are learned: here the other settings of such a preset learn labels.
  const options = task?.type === "linkPrediction" ? sections : spec;
  const isWithoutLabels = task?.type === "deepGraphInfomax" || task?.type === "node2vec";
  const isUntaught = task?.type === "fastRp";
  const name = isUntaught ? "test/probeAccuracy" : isWithoutLabels ? "val/loss" : "test/accuracy";
  const small = { ...graph, numNodes: 200, numTrain: 80 };
  expect(await figureOf(small, { ...options, train }, name)).toBeGreaterThanOrEqual(0);
});
