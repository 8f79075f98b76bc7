import { sweepRequest } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { bestOf } from "../../src/sweeps/best-setting.ts";
import { settingsOf, settingText, trialName, withChanges } from "../../src/sweeps/settings.ts";
import { spreadOf, summariesOf, type TrialRow } from "../../src/sweeps/sweep-summary.ts";

describe("the settings of a grid", () => {
  it("are every combination of its values, the last path's changing first", () => {
    expect(settingsOf({ "train.epochs": [1, 2], "model.type": ["sage", "gcn", "gat"] })).toEqual([
      { "train.epochs": 1, "model.type": "sage" },
      { "train.epochs": 1, "model.type": "gcn" },
      { "train.epochs": 1, "model.type": "gat" },
      { "train.epochs": 2, "model.type": "sage" },
      { "train.epochs": 2, "model.type": "gcn" },
      { "train.epochs": 2, "model.type": "gat" },
    ]);
    expect(settingsOf({})).toEqual([{}]);
  });

  it("are laid over the spec, which stays as it was", () => {
    const spec = { train: { epochs: 3, optimizer: { type: "adam" } }, model: { type: "sage" } };
    const changed = withChanges(spec, { "train.optimizer.options.lr": 0.1, model: { type: "gcn" }, "split.seed": 4 });
    expect(changed).toEqual({
      train: { epochs: 3, optimizer: { type: "adam", options: { lr: 0.1 } } },
      model: { type: "gcn" },
      split: { seed: 4 },
    });
    expect(spec.train).toEqual({ epochs: 3, optimizer: { type: "adam" } });
  });

  it("have short names, which are cut at their end", () => {
    const changes = { "train.optimizer.options.lr": 0.01, "model.type": "gcn", "sampling.options.fanouts": [10, 5] };
    expect(settingText(changes)).toBe("lr 0.01, type gcn, fanouts [10,5]");
    expect(trialName("papers", changes, 3)).toBe("papers · lr 0.01, type gcn, fanouts [10,5] · seed 3");
    expect(trialName("p".repeat(120), changes, 3)).toHaveLength(120);
  });
});

describe("a request for a sweep", () => {
  const messageOf = (request: object) => sweepRequest.safeParse({ spec: {}, ...request }).error?.issues[0]?.message;

  it.each([
    { request: { grid: { "train.seed": [1] } }, message: /seeds have a list of their own/ },
    { request: { grid: { name: ["a"] } }, message: /settings differ in task, split/ },
    { request: { grid: { "__proto__.x": [1] } }, message: /expected the path of a field/ },
    { request: { grid: { "constructor.prototype": [1] } }, message: /settings differ in/ },
    { request: { grid: { "train..lr": [1] } }, message: /expected the path of a field/ },
    { request: { grid: { "train.epochs": [] } }, message: /./ },
    { request: { grid: { model: [{}], "model.type": ["gcn"] } }, message: /"model" is in the grid, too/ },
    {
      request: { grid: { "train.epochs": [1, 2, 3] }, seeds: Array.from({ length: 100 }, (_, i) => i) },
      message: /come to 300 jobs/,
    },
    { request: { seeds: [1, 1] }, message: /a seed is named twice/ },
  ])("is refused with $request", ({ request, message }) => {
    expect(messageOf(request)).toMatch(message);
  });
});

describe("the summary of a sweep", () => {
  const job = (setting: number, seed: number, validation: number | null, more: Partial<TrialRow> = {}): TrialRow => ({
    id: `job_${setting}_${seed}`,
    setting,
    seed,
    state: validation === null ? "FAILED" : "SUCCEEDED",
    validation,
    result: validation === null ? null : validation - 0.1,
    ...more,
  });
  const settings = [{ changes: { "train.epochs": 1 } }, { changes: { "train.epochs": 2 } }];
  const accuracy = { metric: "accuracy", direction: "max" } as const;

  it("has mean and standard deviation of the sample, as they are defined", () => {
    // (0.7, 0.8, 0.9): mean 0.8, squares 0.01 + 0 + 0.01 over 2
    expect(spreadOf([0.7, null, 0.8, 0.9])).toEqual({
      mean: expect.closeTo(0.8, 12),
      deviation: expect.closeTo(0.1, 12),
      count: 3,
    });
    expect(spreadOf([0.5])).toEqual({ mean: 0.5, deviation: null, count: 1 });
    expect(spreadOf([null])).toBeNull();
  });

  it("names the setting with the best mean, its best job and the reason", () => {
    const jobs = [job(0, 1, 0.8), job(0, 0, 0.7), job(1, 0, 0.79), job(1, 1, 0.81)];
    const summaries = summariesOf(settings, jobs);
    expect(summaries[0]?.trials.map(({ seed }) => seed)).toEqual([0, 1]);
    expect(summaries.map(({ test }) => test?.mean)).toEqual([expect.closeTo(0.65, 12), expect.closeTo(0.7, 12)]);
    const best = bestOf(summaries, accuracy);
    expect(best).toMatchObject({ setting: 1, jobId: "job_1_1" });
    expect(best?.reason).toBe(
      "The best of 2 settings by accuracy on the validation set is epochs 2: 0.8000 ± 0.0141 over 2 seeds, before 0.7500 ± 0.0707 of epochs 1; the two lie within a standard deviation of each other.",
    );
  });

  it("says of a single setting what it reaches", () => {
    const [only] = summariesOf([settings[0]!], [job(0, 0, 0.7), job(0, 1, 0.8)]);
    expect(bestOf([{ ...only!, title: "" }], accuracy)?.reason).toBe(
      "There is one setting, the spec as it was sent: its accuracy on the validation set is 0.7500 ± 0.0707 over 2 seeds.",
    );
  });

  it("prefers less where less is better, and many seeds to one lucky one", () => {
    const loss = { metric: "mae", direction: "min" } as const;
    expect(bestOf(summariesOf(settings, [job(0, 0, 2), job(1, 0, 1)]), loss)?.setting).toBe(1);
    const jobs = [job(0, 0, 0.7), job(0, 1, 0.7), job(1, 0, 0.99), job(1, 1, null)];
    expect(bestOf(summariesOf(settings, jobs), accuracy)?.setting).toBe(0);
  });

  it("holds the mean of three seeds to that of five, and that of two to neither", () => {
    const seeds = (setting: number, count: number, value: number) =>
      Array.from({ length: count }, (_, seed) => job(setting, seed, value));
    const best = (count: number) =>
      bestOf(summariesOf(settings, [...seeds(0, 5, 0.7), ...seeds(1, count, 0.8)]), accuracy)?.setting;
    expect([2, 3, 4].map(best)).toEqual([0, 1, 1]);
  });

  describe("of a search", () => {
    const seeds = (setting: number, values: readonly number[]) =>
      values.map((value, seed) => job(setting, seed, value));
    const jobs = [...seeds(0, [0.71, 0.69, 0.7]), ...seeds(1, [0.72, 0.74, 0.73])];
    const placeOf = (setting: number) => setting;

    it("is the most advisable setting within a standard error of the best", () => {
      // √(0.73 · 0.27 / 162) = 0.0349; of 400 rows 0.0222
      const best = (rows: number) => bestOf(summariesOf(settings, jobs), accuracy, { placeOf, numRows: () => rows });
      expect(best(162)).toMatchObject({
        setting: 0,
        jobId: "job_0_0",
        reason:
          "By accuracy on the validation set epochs 1 (0.7000 ± 0.0100) is as good as the best setting, epochs 2 (0.7300 ± 0.0100), as far as so few rows can tell: the standard error is 0.0349. It suits such a graph better.",
      });
      expect(best(400)?.setting).toBe(1);
    });

    it("is the best one where nothing more advisable is near, or no seeds say how far it may be off", () => {
      const turned = { placeOf: (setting: number) => 1 - setting, numRows: () => 162 };
      expect(bestOf(summariesOf(settings, jobs), accuracy, turned)?.reason).toMatch(/^The best of 2 settings/);
      const one = [job(0, 0, 0.7), job(1, 0, 0.71)];
      expect(bestOf(summariesOf(settings, one), accuracy, { placeOf, numRows: () => null })?.setting).toBe(1);
    });

    it("is judged by its seeds where rows are not counted, or the figure is no share of them", () => {
      // 0.01 / √3 = 0.0058 from 0.73
      const uncounted = { placeOf, numRows: () => null };
      expect(bestOf(summariesOf(settings, jobs), accuracy, uncounted)?.setting).toBe(1);
      const near = [...seeds(0, [0.725, 0.727]), ...seeds(1, [0.72, 0.74])];
      expect(bestOf(summariesOf(settings, near), accuracy, uncounted)?.setting).toBe(0);
      const losses = [...seeds(0, [2.2, 2.2, 2.2]), ...seeds(1, [2, 2.1, 1.9])];
      const loss = { metric: "mae", direction: "min" } as const;
      expect(bestOf(summariesOf(settings, losses), loss, { placeOf, numRows: () => 10 })?.setting).toBe(1);
    });
  });

  it("names none as long as no job has succeeded", () => {
    expect(bestOf(summariesOf(settings, [job(0, 0, null), job(1, 0, null)]), accuracy)).toBeNull();
  });
});
