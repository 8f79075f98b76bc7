import { expect, test } from "vitest";
import { jobPresets, loadRegistry, presetCalled, situations, trainStepOptions } from "../../../src/spec/index.ts";

test.each(jobPresets.map((preset) => [preset.name, preset] as const))(
  "%s is a valid spec of components that exist, with one fanout per hop",
  async (_name, { spec, model: named }) => {
    const registry = await loadRegistry();
    const options = trainStepOptions.parse({ ...spec, task: { target: "label" } });
    expect(options.model.type).toBe(named);
    const model = registry.get("model", options.model.type);
    const sampler = registry.get("sampler", options.sampling.type);
    const numHops = model.numHops(model.options.parse(options.model.options));
    const { fanouts } = sampler.options.parse(options.sampling.options) as { fanouts?: number[] };
    // An MLP reads no neighbours, whatever the sampler.
    if (numHops > 0) expect(fanouts?.length ?? numHops).toBe(numHops);
  },
);

test("no preset names a metric, which a task of another type would not have", () => {
  const named = jobPresets.filter(({ spec }) => spec.train?.earlyStopping?.metric);
  expect(named.map(({ name }) => name)).toEqual([]);
});

test("names are unique, and every situation has a preset", () => {
  expect(new Set(jobPresets.map(({ name }) => name)).size).toBe(jobPresets.length);
  expect(new Set(jobPresets.map(({ situation }) => situation))).toEqual(new Set(situations.map(({ name }) => name)));
});

test("a preset is found by its name", () => {
  expect(presetCalled("few-labels-gcn").model).toBe("gcn");
});

test.each([
  ["citation", "few-labels-sage"],
  ["citation-appnp", "few-labels-appnp"],
  ["large", "large-sage"],
])("the former name %s is refused with the one of today", (former, today) => {
  expect(() => presetCalled(former)).toThrow(`take "${today}"`);
  expect(presetCalled(today).name).toBe(today);
});

test("an unknown name is refused with the names that there are", () => {
  expect(() => presetCalled("constructor")).toThrow("Expected one of few-labels-gcn, ");
});
