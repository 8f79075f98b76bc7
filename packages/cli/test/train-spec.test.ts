import { describe, expect, it } from "vitest";
import { specFromFlags } from "../src/spec/train-spec.ts";

describe("the options of hopwise train as a job spec", () => {
  it("say source B's command line", () => {
    const flags = { model: "gcn", sampler: "controlVariate", numNeighbors: "1", batchSize: 2500, nHidden: 64 };
    const spec = {
      model: { type: "gcn", options: { hiddenFeats: 64 } },
      sampling: { type: "controlVariate", options: { numNeighbors: 1 } },
      train: { batchSize: 2500 },
    };
    expect(specFromFlags({}, flags)).toEqual(spec);
    const { sampler: _, ...asOfDgl } = { ...flags, model: "gcn_cv" };
    expect(specFromFlags({}, asOfDgl)).toEqual(spec);
  });

  it("draw as many neighbours in every hop, or so many in each", () => {
    const fanouts = (numNeighbors: string, more = {}) =>
      specFromFlags({}, { numNeighbors, ...more })["sampling"] as { options: object };
    expect(fanouts("10").options).toEqual({ fanouts: [10, 10] });
    expect(fanouts("10", { nLayers: 3 }).options).toEqual({ fanouts: [10, 10, 10] });
    expect(fanouts("10,25").options).toEqual({ fanouts: [10, 25] });
    expect(() => fanouts("1,2", { sampler: "controlVariate" })).toThrow(/one number for all hops/);
    expect(() => fanouts("many")).toThrow(/expected a whole number/);
  });

  it("go before the spec that they are laid over, --set before all, and nothing else is said", () => {
    const base = { train: { epochs: 5, seed: 1 }, tags: { team: "risk" } };
    const flags = {
      epochs: 7,
      tag: ["run=a=b"],
      set: ["train.epochs=9", 'features.transforms=["standardize"]', "name=my run"],
    };
    expect(specFromFlags(base, flags)).toEqual({
      train: { epochs: 9, seed: 1 },
      tags: { team: "risk", run: "a=b" },
      features: { transforms: ["standardize"] },
      name: "my run",
    });
    expect(base.train.epochs).toBe(5);
  });

  it("begin with a kept model, of which layers stay as they are", () => {
    expect(specFromFlags({}, { startFrom: "papers@2", freeze: ["layers.0", "layers.1.bias"] })).toEqual({
      startFrom: { model: "papers@2", freeze: ["layers.0", "layers.1.bias"] },
    });
  });

  it("are refused where they say nothing, and change no object but the spec", () => {
    expect(() => specFromFlags({}, { set: ["train.epochs"] })).toThrow(/expected name=value/);
    const spec = specFromFlags({}, { set: ["__proto__.polluted=1"] });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.keys(spec)).toEqual(["__proto__"]);
  });
});
