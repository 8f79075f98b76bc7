import { describe, expect, it } from "vitest";
import { bySmoothedEnd, settingsOf, smoothedEnd } from "../../src/services/compared-order.ts";
import { type ComparedJob, groupsOf, parameterRows } from "../../src/services/comparison.ts";

const task = {
  chiefMetric: "accuracy",
  metrics: [{ name: "accuracy", title: "Accuracy", direction: "max", shownAs: "percent" }],
};

function job(id: string, values: readonly number[], spec: object = {}): ComparedJob {
  const steps = values.map((_, i) => i + 1);
  const series = values.length > 0 ? [{ name: "val/accuracy", axis: "epoch", steps, values, times: steps }] : [];
  return { id, name: id, state: "SUCCEEDED", spec, task, model: null, series } as unknown as ComparedJob;
}

describe("runs in the order of a smoothed metric", () => {
  it("come after those that are better for long, though their last epoch was lucky", () => {
    const groups = groupsOf(
      [job("lucky", [0.1, 0.1, 0.1, 0.9]), job("none", []), job("steady", [0.7, 0.7, 0.7, 0.7])],
      false,
    );
    expect(bySmoothedEnd(groups, "val/accuracy").map(({ id }) => id)).toEqual(["steady", "lucky", "none"]);
  });

  it("are ordered by the weighted mean: of 1, 2, 4 it is (0.36 + 0.6 · 2 + 4) · 0.4 / (1 − 0.6³)", () => {
    const spreads = [1, 2, 4].map((mean) => ({ mean, deviation: null, count: 1 }));
    expect(smoothedEnd({ spreads })).toBeCloseTo(((0.36 + 1.2 + 4) * 0.4) / (1 - 0.216), 12);
    expect(smoothedEnd({ spreads: [] })).toBeNull();
  });

  it("say by which settings they differ, and by no others", () => {
    const specs = [0.1, 0.2].map((lr) => ({
      train: { learningRate: lr, epochs: 5 },
      model: { options: { layers: 2 } },
    }));
    const groups = groupsOf(
      specs.map((spec, i) => job(`run${i}`, [], spec)),
      false,
    );
    expect([...settingsOf(groups, parameterRows(groups))]).toEqual([
      ["run0", "learningRate 0.1"],
      ["run1", "learningRate 0.2"],
    ]);
  });
});
