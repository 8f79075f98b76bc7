import { describe, expect, it } from "vitest";
import { type SweepDetails, sweepText } from "../src/commands/sweeps.ts";
import { durationFromFlag, gridFromFlags, seedsFromFlag } from "../src/spec/sweep-grid.ts";

describe("the options of a sweep", () => {
  it("are values by their fields, under the names that train has for them or their own", () => {
    const flags = ["lr=0.1,0.01", "model=gcn,sage", "sampling.options.fanouts=[[10,10],[25,10]]", "split.seed=3"];
    expect(gridFromFlags(flags)).toEqual({
      "train.optimizer.options.lr": [0.1, 0.01],
      "model.type": ["gcn", "sage"],
      "sampling.options.fanouts": [
        [10, 10],
        [25, 10],
      ],
      "split.seed": [3],
    });
    expect(seedsFromFlag("0-3,7,2")).toEqual([0, 1, 2, 3, 7]);
  });

  it("name a time in few letters or as ISO 8601 does", () => {
    expect(["10m", "2h", "90s", "P1DT2H"].map(durationFromFlag)).toEqual(["PT10M", "PT2H", "PT90S", "P1DT2H"]);
    expect(() => durationFromFlag("ten")).toThrow(/--auto: found "ten"/);
  });

  it("are refused where they say nothing, and change no object but the grid", () => {
    expect(() => gridFromFlags(["lr"])).toThrow(/expected field=value,value/);
    expect(() => gridFromFlags(["lr=1", "lr=2"])).toThrow(/named twice/);
    for (const text of ["", "a", "3-1", "1.5", "0-99999"]) expect(() => seedsFromFlag(text)).toThrow(/--seeds/);
    expect(Object.keys(gridFromFlags(["__proto__=1"]))).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["1"]).toBeUndefined();
  });
});

it("a sweep is shown as a row for each setting, the best one marked", () => {
  const spread = { mean: 0.8, deviation: 0.012, count: 2 };
  const setting = { trials: [{}, {}], validation: spread, test: { ...spread, deviation: null } };
  const sweep = {
    metric: "accuracy",
    counts: { failed: 1 },
    best: { setting: 1, reason: "It is the best." },
    settings: [
      { ...setting, index: 0, changes: { "model.type": "gcn" } },
      { ...setting, index: 1, changes: { "train.lr": 0.1 }, test: null },
    ],
  };
  expect(sweepText(sweep as unknown as SweepDetails).split("\n")).toEqual([
    "   model.type  train.lr  SEEDS   val/accuracy     test/accuracy",
    "   gcn                   2 of 2  0.8000 ± 0.0120  0.8000",
    "*              0.1       2 of 2  0.8000 ± 0.0120",
    "1 job has failed.",
    "It is the best.",
  ]);
});
