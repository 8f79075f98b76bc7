import { datasetSpec, jobSpec, taskObjection } from "@hopwise/contracts";
import { taskOptions } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { baseSpec, withPreset } from "../../src/services/job-form.ts";
import { chosenTask, taskChoices, withTarget } from "../../src/services/job-task.ts";

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
])("the tasks offered for %j are those that the API takes", (labelling, types) => {
  const spec = specOf(labelling);
  const choices = taskChoices(spec);
  expect(choices.map(({ task }) => task.type ?? "nodeClassification")).toEqual(types);
  for (const { task } of choices) expect(taskObjection(taskOptions.parse(task), spec.nodes)).toBeNull();
});

test("the form begins with the first task, and makes features where the dataset has none", () => {
  const spec = specOf({ label: "topic", labelSeparator: "|" });
  const begun = baseSpec({ id: "ds_1", number: 1, spec });
  expect(begun).toMatchObject({ task: { type: "nodeMultiLabel", target: "topic" }, features: { structural: {} } });
  expect(jobSpec.safeParse(begun).success).toBe(true);
  const preset = withPreset(begun, { features: { transforms: ["standardize"] } });
  expect(preset).toMatchObject({ features: { transforms: ["standardize"], structural: {} } });
  expect(chosenTask(taskChoices(spec), begun["task"])?.label).toBe("Several labels per node: topic");
});

test("choosing another type of task fills in the target that the dataset has for it", () => {
  const choices = taskChoices(specOf({ label: "topic", targets: ["age"] }));
  expect(withTarget(choices, { type: "nodeRegression" })).toEqual({ type: "nodeRegression", target: "age" });
  expect(withTarget(choices, { type: "nodeRegression", target: "x" })).toEqual({ type: "nodeRegression", target: "x" });
});
