import { expect, test } from "vitest";
import { choosePreset, figuresOf, graphInfo, situations } from "../../../src/spec/index.ts";
import { knownGraphs } from "../../support/known-graphs.ts";
import { datasetGraph, isDatasetThere } from "../../support/real-datasets.ts";
import { temporaryDir } from "../../support/run-step.ts";

const graphs = Object.entries(knownGraphs);

test.each(graphs)("%s gets the preset of the situation that it was held on", (_name, { figures, situation }) => {
  expect(choosePreset(figures).preset.situation).toBe(situation);
});

test("every situation of a graph that needs no large one has a public graph that it was held on", () => {
  const ofTasks = ["links", "links-by-time", "knowledge", "recommendation", "labelled-edges"];
  const held = new Set<string>([...graphs.map(([, { situation }]) => situation), ...ofTasks]);
  const missing = situations.map(({ name }) => name).filter((name) => !held.has(name));
  expect(missing).toEqual(["large", "large-few-labels", "no-labels", "large-no-labels", "quick"]);
});

test.skipIf(!isDatasetThere("cora"))("the figures written down for Cora are those that ingest counts", async () => {
  const graph = await datasetGraph("cora", await temporaryDir("cora-figures"));
  const { homophily, ...counted } = figuresOf(graphInfo.parse(graph.manifest.info));
  const { homophily: written, ...figures } = knownGraphs.cora.figures;
  expect(counted).toEqual(figures);
  expect(homophily?.share).toBeCloseTo(written.share, 3);
  expect(homophily?.expected).toBeCloseTo(written.expected, 3);
});
