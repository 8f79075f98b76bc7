import { loadRegistry, taskFacts } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { colorIndex, groupSeries, matchingGroups, withPoint } from "../../src/services/series.ts";

const classes = taskFacts((await loadRegistry()).get("task", "nodeClassification"));
const loss = { name: "train/loss", axis: "epoch", steps: [1, 2, 3], values: [0.9, 0.7, 0.6], times: [10, 20, 30] };

test("a point after the last step is appended", () => {
  const [series] = withPoint([loss], { name: "train/loss", axis: "epoch", step: 4, value: 0.5, time: 40 });
  expect(series).toEqual({ ...loss, steps: [1, 2, 3, 4], values: [0.9, 0.7, 0.6, 0.5], times: [10, 20, 30, 40] });
});

test("a step that an earlier attempt already recorded is overwritten, not doubled", () => {
  const [series] = withPoint([loss], { name: "train/loss", axis: "epoch", step: 2, value: 0.75, time: 99 });
  expect(series).toEqual({ ...loss, values: [0.9, 0.75, 0.6], times: [10, 99, 30] });
});

test("a point between two steps is put in order", () => {
  const gap = { ...loss, steps: [1, 3], values: [0.9, 0.6], times: [10, 30] };
  const [series] = withPoint([gap], { name: "train/loss", axis: "epoch", step: 2, value: 0.7, time: 20 });
  expect(series).toEqual(loss);
});

test("a point of an unknown name begins a series", () => {
  const series = withPoint([loss], { name: "val/loss", axis: "epoch", step: 1, value: null, time: 10 });
  expect(series[1]).toEqual({ name: "val/loss", axis: "epoch", steps: [1], values: [null], times: [10] });
});

const named = (name: string) => ({ ...loss, name });

test("loss comes before accuracy, and train before val in each chart", () => {
  const groups = groupSeries(
    [named("val/accuracy"), named("val/loss"), named("train/loss"), named("gradNorm")],
    classes,
  );
  expect(groups.map((group) => [group.title, group.series.map((one) => one.name)])).toEqual([
    ["Loss", ["train/loss", "val/loss"]],
    ["Accuracy", ["val/accuracy"]],
    ["gradNorm", ["gradNorm"]],
  ]);
});

test("what was measured once is no curve, unless the first epoch has just ended", () => {
  const once = { name: "test/rocAuc", axis: "epoch", steps: [3], values: [0.9], times: [30] };
  expect(groupSeries([loss, once], null).map((group) => group.title)).toEqual(["loss"]);
  const first = { ...loss, steps: [1], values: [0.9], times: [10] };
  expect(groupSeries([first, { ...once, steps: [1] }], null).map((group) => group.title)).toEqual(["loss", "rocAuc"]);
});

test("a split has one colour in every chart, whether or not the others are drawn", () => {
  const alone = colorIndex("val/macroF1", 0);
  expect(alone).toBe(colorIndex("val/loss", 1));
  expect(new Set([colorIndex("train/loss", 0), alone, colorIndex("test/loss", 2), colorIndex("lr", 0)]).size).toBe(4);
});

test("charts are found by a part of their title or of a line's name, in any case", () => {
  const groups = groupSeries([named("val/accuracy"), named("val/loss"), named("train/loss")], classes);
  const titles = (search: string) => matchingGroups(groups, search).map(({ title }) => title);
  expect(titles("ACC")).toEqual(["Accuracy"]);
  expect(titles("train/")).toEqual(["Loss"]);
  expect(titles(" ")).toEqual(["Loss", "Accuracy"]);
  expect(titles("nothing")).toEqual([]);
});
