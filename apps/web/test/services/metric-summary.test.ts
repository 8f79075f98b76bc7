import { loadRegistry, taskFacts } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { directionOf, headlineOf, lossOf, summaryOf } from "../../src/services/metric-summary.ts";

const registry = await loadRegistry();
const classes = taskFacts(registry.get("task", "nodeClassification"));
const numbers = taskFacts(registry.get("task", "nodeRegression"));
const series = (name: string, values: readonly (number | null)[]) => ({
  name,
  axis: "epoch",
  steps: values.map((_, i) => i + 1),
  values,
  times: values.map((_, i) => i * 1000),
});

test("best, last, least and most come with the epoch at which they were measured", () => {
  expect(summaryOf(series("val/accuracy", [0.2, 0.8, 0.7]), "max")).toEqual({
    name: "val/accuracy",
    axis: "epoch",
    best: { value: 0.8, at: 2 },
    last: { value: 0.7, at: 3 },
    min: { value: 0.2, at: 1 },
    max: { value: 0.8, at: 2 },
  });
});

test("of equal epochs the first is the best, and one without a number counts as none", () => {
  const summary = summaryOf(series("val/loss", [null, 0.5, 0.5, null]), "min");
  expect(summary).toMatchObject({ best: { at: 2 }, last: { at: 3 } });
  expect(summaryOf(series("val/loss", [null]), "min")).toBeNull();
});

test("a task says whether the most or the least of its metric is best; else losses and errors are least", () => {
  expect(directionOf("val/mae", numbers)).toBe("min");
  expect(directionOf("val/r2", numbers)).toBe("max");
  expect(directionOf("val/accuracy", classes)).toBe("max");
  expect(directionOf("train/loss", classes)).toBe("min");
  expect(directionOf("mine/relativeError", null)).toBe("min");
});

test("the headline is the task's chief metric of the validation nodes, else of the training nodes", () => {
  const both = [series("train/accuracy", [0.9]), series("val/accuracy", [0.8])];
  expect(headlineOf(both, classes)).toMatchObject({ title: "Accuracy", summary: { name: "val/accuracy" } });
  expect(headlineOf(both.slice(0, 1), classes)?.summary.name).toBe("train/accuracy");
  expect(headlineOf([series("val/loss", [1])], classes)).toBeNull();
  expect(lossOf([series("train/loss", [1, 0.4])], classes)?.summary.best).toEqual({ value: 0.4, at: 2 });
});
