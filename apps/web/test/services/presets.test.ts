import { choosePreset, jobPresets } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { baseSpec, withBase } from "../../src/services/job-form.ts";
import { editedSections, withPreset } from "../../src/services/presets.ts";

const begun = baseSpec({ id: "ds_1", number: 2, spec: null, tasks: [] });
const preset = { model: { type: "sage" }, train: { epochs: 3, optimizer: { type: "adam", options: { lr: 0.1 } } } };

test("a preset replaces what presets set and nothing else", () => {
  const spec = { ...begun, name: "mine", resources: { ranks: 2 }, model: { type: "mlp" }, sampling: { type: "full" } };
  expect(withPreset(spec, preset)).toEqual({ ...begun, name: "mine", resources: { ranks: 2 }, ...preset });
});

test("every section that a preset of the engine sets is replaced by the next one", () => {
  for (const { spec } of jobPresets) {
    expect(withPreset(withPreset(begun, spec), preset)).toEqual({ ...begun, ...preset });
  }
});

test("nothing was edited right after the start, whatever the order in which the API names things", () => {
  for (const { spec } of jobPresets) {
    const reversed = Object.fromEntries(Object.entries(spec).toReversed());
    expect(editedSections(withPreset(begun, spec), reversed)).toEqual([]);
  }
});

test("what was changed by hand is named, and only what a preset would replace", () => {
  const spec = { ...withPreset(begun, preset), name: "mine", resources: { ranks: 2 } };
  expect(editedSections({ ...spec, train: { ...preset.train, epochs: 4 } }, preset)).toEqual(["Training"]);
  expect(editedSections({ ...spec, sampling: { type: "full" } }, preset)).toEqual(["Sampler"]);
  expect(editedSections({ ...spec, model: undefined }, preset)).toEqual(["Model"]);
});

test("an empty list of options says the same as none", () => {
  const full = { sampling: { type: "full", options: {} } };
  expect(editedSections({ ...begun, sampling: { type: "full" } }, full)).toEqual([]);
});

test("a dataset without features keeps columns made from its edges under every preset of its own that reads columns", () => {
  const { preset: proposed, others } = choosePreset({
    numNodes: 100,
    numEdges: 400,
    features: { dim: 0, values: null },
    numClasses: 2,
    numTrain: 60,
    homophily: null,
  });
  const spec = withBase(begun, { features: { structural: {} } });
  for (const each of [proposed, ...others]) {
    if (each.spec.task?.type === "fastRp") continue;
    const read = each.spec.features?.embedding ? "embedding.dim" : "structural.method";
    expect(withPreset(spec, { ...each.spec }).features).toHaveProperty(read);
  }
});
