import { describe, expect, test } from "vitest";
import { defineTask } from "../../src/components/define-task.ts";
import { Registry } from "../../src/components/registry.ts";
import { labelSetsOf } from "../../src/graph/label-sets.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { resolveTask, taskComponentOf } from "../../src/spec/resolve-task.ts";
import { selectionMetricOf } from "../../src/spec/task-metrics.ts";
import { makeTask } from "../../src/tasks/make-task.ts";
import { communityData } from "../train/support/community-data.ts";

const registry = await loadRegistry();
const tasks = registry.list("task");

/** Communities as classes, or where a task needs them as sets of one class, and as numbers. */
async function dataFor(name: string): Promise<TrainingData> {
  const { labels, numClasses, ...data } = await communityData({ numNodes: 60, numClasses: 3, dim: 4, numTrain: 30 });
  const targets = { names: ["label"], values: Float32Array.from(labels) };
  if (name !== "nodeMultiLabel") return { ...data, labels, numClasses, targets };
  const sets = Array.from(labels, (label) => [label]);
  return { ...data, labelSets: labelSetsOf(sets, numClasses) };
}

describe.each(tasks.map((task) => [task.name, task] as const))("the task %s", (name, task) => {
  const names = task.metrics.map((metric) => metric.name);

  test("is judged and selected by metrics that it declares, each once", () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain(task.chiefMetric);
    expect(selectionMetricOf(task, null).metric).toBe(`val/${task.selectionMetric}`);
  });

  test("counts the metrics that it declares and no other, and trains on some of them", async () => {
    if (task.seeds !== "nodes") return;
    const data = await dataFor(name);
    const resolved = resolveTask({ type: name, inductive: false, ...task.inMemory }, registry);
    const fitted = await makeTask(resolved, data);
    const ranking = fitted.task.ranking ? ["rocAuc", "averagePrecision"] : [];
    expect([...Object.keys(fitted.task.tally().metrics), ...ranking].toSorted()).toEqual(names.toSorted());
    const sums = { lossSum: 1, weightSum: 1, hits: 1, trials: 1 };
    expect(names).toEqual(expect.arrayContaining(Object.keys(fitted.task.trainMetrics(sums))));
    expect(fitted.task.outDim).toBe(task.outDim(resolved.options, { classes: ["a", "b", "c"] }));
  });
});

test("a section without a type is the default task, of which there is one", () => {
  expect(tasks.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  expect(taskComponentOf({}, registry).isDefault).toBe(true);
  const [first] = tasks.flatMap((task) => (task.seeds === "nodes" ? [task] : []));
  const second = new Registry();
  second.add(defineTask({ ...first!, name: "one", isDefault: true }));
  expect(() => second.add(defineTask({ ...first!, name: "two", isDefault: true }))).toThrow('"one" and "two"');
});

test("options that a task does not have are refused with their place", () => {
  const resolve = () => resolveTask({ target: "topic", inductive: false, classWeights: "most" }, registry);
  expect(resolve).toThrow(expect.objectContaining({ place: { pointer: "/task/classWeights" } }));
  expect(() => resolveTask({ type: "none", inductive: false }, registry)).toThrow(
    expect.objectContaining({ code: "COMPONENT_UNKNOWN" }),
  );
});
