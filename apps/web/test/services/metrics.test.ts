import { expect, test } from "vitest";
import { metricsOf } from "../../src/services/metrics.ts";

test("the figures of the test come first, and in each split the figures of the task before the loss", () => {
  const metrics = { "val/loss": 0.5, "test/macroF1": 0.7, "test/loss": 0.6, "test/accuracy": 0.8, "val/rocAuc": null };
  expect(metricsOf(metrics)).toEqual([
    {
      split: "test",
      metrics: [
        { name: "test/accuracy", value: 0.8 },
        { name: "test/macroF1", value: 0.7 },
        { name: "test/loss", value: 0.6 },
      ],
    },
    { split: "val", metrics: [{ name: "val/loss", value: 0.5 }] },
  ]);
});

test("a job without a model has no figures", () => {
  expect(metricsOf(null)).toEqual([]);
});
