import { expect, test } from "vitest";
import {
  type AskedTask,
  choosePreset,
  type GraphFigures,
  jobPresets,
  loadRegistry,
  questionsOfLinks,
} from "../../../src/spec/index.ts";

const figures: GraphFigures = {
  numNodes: 2708,
  numEdges: 10_556,
  features: { dim: 1433, values: "binary" },
  numClasses: 7,
  numTrain: 140,
  homophily: { share: 0.81, expected: 0.18 },
};

async function asked(type: string, given: Readonly<Record<string, unknown>> = {}): Promise<AskedTask> {
  const task = (await loadRegistry()).get("task", type);
  return { type, seeds: task.seeds, options: task.options.parse(given) };
}

test.each([
  ["nodeClassification", { target: "label" }, "few-labels"],
  ["linkPrediction", {}, "links"],
  ["linkPrediction", { split: { type: "time" } }, "links-by-time"],
  ["linkPrediction", { relations: "each", decoder: { type: "complEx" } }, "knowledge"],
  ["linkPrediction", { rankAmong: "unseenNodes" }, "recommendation"],
  ["edgeClassification", { target: "sign" }, "labelled-edges"],
  ["edgeRegression", { target: "rating" }, "labelled-edges"],
  ["graphClassification", { target: "label" }, "whole-graphs"],
  ["graphRegression", { target: "y" }, "whole-graphs"],
  ["deepGraphInfomax", {}, "no-labels"],
  ["node2vec", {}, "no-labels"],
  ["fastRp", {}, "large-no-labels"],
])("%s with %j on a graph with labels is the situation %s", async (type, given, situation) => {
  const { preset, reason } = choosePreset(figures, await asked(type, given));
  expect(preset.situation).toBe(situation);
  expect(preset.spec.task?.type ?? type, "no other task is proposed").toBe(type);
  expect(reason).toMatch(/^2,708 nodes/);
});

test("types of nodes or edges make a situation, unless the graph is large", () => {
  const typed = { ...figures, types: { nodes: 3, relations: 2 } };
  expect(choosePreset(typed)).toMatchObject({
    preset: { situation: "typed" },
    reason: expect.stringContaining("of 3 types, joined by 2 relations"),
  });
  expect(choosePreset({ ...typed, numNodes: 300_000 }).preset.situation).toBe("large-few-labels");
});

test("options that presets give a task are those of every task that they suit", async () => {
  const registry = await loadRegistry();
  const bySeeds = { "whole-graphs": "graphs", "labelled-edges": "edgeRows" } as const;
  for (const { name, situation, spec } of jobPresets) {
    const { type, ...options } = spec.task ?? {};
    const tasks = registry
      .list("task")
      .filter((task) => (type ? task.name === type : task.seeds === bySeeds[situation as keyof typeof bySeeds]));
    for (const task of tasks) {
      const parsed = task.options.safeParse({ target: "label", ...options });
      const own = parsed.success ? parsed : task.options.safeParse(options);
      expect(own.error?.issues, `${name} for ${task.name}`).toBeUndefined();
    }
  }
});

test("what says which question is asked of links are options of theirs", async () => {
  const { shape } = (await loadRegistry()).get("task", "linkPrediction").options;
  for (const option of questionsOfLinks) expect(Object.keys(shape)).toContain(option);
});

test("presets for sets of graphs whose nodes have no features make columns that mean the same in every graph", async () => {
  const graphs = { ...figures, features: { dim: 0, values: null }, numClasses: 0, numTrain: 0, numGraphs: 100 };
  const { preset } = choosePreset(graphs, await asked("graphClassification", { target: "label" }));
  expect(preset.spec.features?.structural).toMatchObject({ method: "degree" });
});
