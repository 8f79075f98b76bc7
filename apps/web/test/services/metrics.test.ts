import { loadRegistry, taskFacts } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { chiefResult, metricsOf, resultHeading } from "../../src/services/metrics.ts";

const registry = await loadRegistry();
const classes = taskFacts(registry.get("task", "nodeClassification"));
const numbers = taskFacts(registry.get("task", "nodeRegression"));

test("the figures of the test come first, and in each split the figures of the task before the loss", () => {
  const metrics = { "val/loss": 0.5, "test/macroF1": 0.7, "test/loss": 0.6, "test/accuracy": 0.8, "val/rocAuc": null };
  expect(metricsOf(metrics, classes)).toEqual([
    {
      split: "test",
      metrics: [
        { name: "test/accuracy", text: "80.0 %" },
        { name: "test/macroF1", text: "0.7" },
        { name: "test/loss", text: "0.6" },
      ],
    },
    { split: "val", metrics: [{ name: "val/loss", text: "0.5" }] },
  ]);
});

test("figures of a task that is not installed any more go by their names", () => {
  const [test] = metricsOf({ "test/b": 1, "test/accuracy": 0.5 }, null);
  expect(test?.metrics).toEqual([
    { name: "test/accuracy", text: "0.5" },
    { name: "test/b", text: "1" },
  ]);
});

test("a job without a model has no figures", () => {
  expect(metricsOf(null, classes)).toEqual([]);
  expect(chiefResult(null, classes)).toBeNull();
});

test("a list says once what its results are, unless they differ", () => {
  const accuracy = chiefResult({ "test/accuracy": 0.8125, "test/loss": 0.4 }, classes);
  const error = chiefResult({ "test/mae": 12.5, "test/r2": 0.9 }, numbers);
  expect(accuracy).toEqual({ title: "Accuracy", text: "81.3 %" });
  expect(error).toEqual({ title: "Mean absolute error", text: "12.5" });
  expect(resultHeading([accuracy, null, accuracy])).toBe("Test accuracy");
  expect(resultHeading([error])).toBe("Test mean absolute error");
  expect(resultHeading([accuracy, error])).toBe("Test result");
  expect(resultHeading([{ title: "ROC AUC", text: "0.9" }])).toBe("Test ROC AUC");
});
