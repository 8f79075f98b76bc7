import { type DatasetSpec, datasetSpec, jobSpec, taskObjection } from "@hopwise/contracts";
import { loadRegistry, offeredTasks, taskSection } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { baseSpec } from "../../src/services/job-form.ts";
import { chosenTask, type TaskChoice, withColumns } from "../../src/services/job-task.ts";

const registry = await loadRegistry();

const taskChoices = (spec: DatasetSpec): readonly TaskChoice[] => offeredTasks(spec, registry);
const specOf = (labelling: object) =>
  datasetSpec.parse({
    edges: { files: ["e.csv"], src: "a", dst: "b" },
    nodes: { files: ["n.csv"], id: "id", ...labelling },
  });

test.each([
  [{ label: "topic" }, ["nodeClassification"]],
  [{ label: "topic", labelSeparator: "|", targets: ["age"] }, ["nodeMultiLabel", "nodeRegression"]],
  [{ labelColumns: ["rock", "jazz"] }, ["nodeMultiLabel"]],
  [{ labelFile: { files: ["l.csv"], node: "id", label: "genre" } }, ["nodeMultiLabel"]],
  [{ targets: ["age", "height"] }, ["nodeRegression", "nodeRegression", "nodeRegression"]],
  [{}, []],
])("the tasks offered for %j are those that the API takes", (labelling, types) => {
  const spec = specOf(labelling);
  const choices = taskChoices(spec);
  // Every graph has nodes and links.
  expect(choices.map(({ type }) => type)).toEqual([
    ...types,
    "deepGraphInfomax",
    "fastRp",
    "grace",
    "node2vec",
    "linkPrediction",
  ]);
  for (const { task } of choices) expect(taskObjection(taskSection.parse(task), spec, registry)).toBeNull();
});

test.each([
  [
    "triples without a table of nodes",
    { edges: { files: ["t.csv"], src: "a", dst: "b", type: "r" } },
    "linkPrediction",
  ],
  [
    "links that are held out",
    { edges: { files: ["e.csv"], src: "a", dst: "b", split: "side" }, nodes: { files: ["n.csv"], id: "id" } },
    "linkPrediction",
  ],
  ["plain edges", { edges: { files: ["e.csv"], src: "a", dst: "b" } }, "deepGraphInfomax"],
])("of %s the first task is the one that they are made for", (_, spec, type) => {
  expect(taskChoices(datasetSpec.parse(spec))[0]?.type).toBe(type);
});

test("triples are asked for their missing facts, among all nodes where some are held out", () => {
  const triples = { files: ["t.csv"], src: "a", dst: "b", type: "r" };
  const [given] = taskChoices(datasetSpec.parse({ edges: { ...triples, split: "side" } }));
  const question = { relations: "each", decoder: { type: "complEx" } };
  expect(given?.task).toEqual({
    type: "linkPrediction",
    split: { type: "given" },
    rankAmong: "allNodes",
    ...question,
  });
  const spec = datasetSpec.parse({ edges: triples });
  const [drawn, alike] = taskChoices(spec);
  expect(drawn?.task).toEqual({ type: "linkPrediction", ...question });
  expect(alike).toMatchObject({ label: "Links between nodes", task: { type: "linkPrediction" } });
  for (const { task } of [drawn!, alike!]) expect(taskObjection(taskSection.parse(task), spec, registry)).toBeNull();
});

test("the form begins with the first task, and makes features where the dataset has none", () => {
  const spec = specOf({ label: "topic", labelSeparator: "|" });
  const begun = baseSpec({ id: "ds_1", number: 1, spec, tasks: taskChoices(spec) });
  expect(begun).toMatchObject({ task: { type: "nodeMultiLabel", target: "topic" }, features: { structural: {} } });
  expect(jobSpec.safeParse(begun).success).toBe(true);
  expect(chosenTask(taskChoices(spec), begun["task"])?.label).toBe("Several labels per node: topic");
});

test("choosing another type of task fills in the target that the dataset has for it", () => {
  const choices = taskChoices(specOf({ label: "topic", targets: ["age"] }));
  expect(withColumns(choices, { type: "nodeRegression" })).toEqual({ type: "nodeRegression", target: "age" });
  expect(withColumns(choices, { type: "nodeRegression", target: "x" })).toEqual({
    type: "nodeRegression",
    target: "x",
  });
  expect(withColumns(choices, { classWeights: "balanced" })).toEqual({ target: "topic", classWeights: "balanced" });
});

test("a section is the choice that it agrees with, by its own name or as the default", () => {
  const choices = taskChoices(specOf({ label: "topic", targets: ["age", "height"] }));
  expect(chosenTask(choices, { target: "topic", inductive: true })?.label).toBe("Class: topic");
  expect(chosenTask(choices, { type: "nodeClassification", target: "topic" })?.label).toBe("Class: topic");
  expect(chosenTask(choices, { type: "nodeRegression", target: "height" })?.label).toBe("Number: height");
  expect(chosenTask(choices, { type: "nodeRegression", target: ["age", "height"] })?.label).toBe(
    "Numbers: age, height",
  );
  expect(chosenTask(choices, { type: "nodeRegression", target: "topic" })).toBeNull();
});
