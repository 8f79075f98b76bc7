import { expect, test } from "vitest";
import { loadRegistry, trainStepOptions } from "../../src/spec/index.ts";
import { jobPresets } from "../../src/spec/presets.ts";

test.each(jobPresets.map((preset) => [preset.name, preset] as const))(
  "%s is a valid spec of components that exist, with one fanout per hop",
  async (_name, { spec }) => {
    const registry = await loadRegistry();
    const options = trainStepOptions.parse({ ...spec, task: { target: "label" } });
    const model = registry.get("model", options.model.type);
    const sampler = registry.get("sampler", options.sampling.type);
    const numHops = model.numHops(model.options.parse(options.model.options));
    const { fanouts } = sampler.options.parse(options.sampling.options) as { fanouts?: number[] };
    expect(fanouts?.length ?? numHops).toBe(numHops);
  },
);
