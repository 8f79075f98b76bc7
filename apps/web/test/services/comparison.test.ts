import { expect, test } from "vitest";
import {
  type ComparedJob,
  curveNames,
  groupCurves,
  groupsOf,
  metricRows,
  namedJobs,
  parameterRows,
  spreadOf,
} from "../../src/services/comparison.ts";
import { parallelAxes } from "../../src/services/parallel-axes.ts";
import { runColor } from "../../src/services/run-color.ts";

const run = (
  id: string,
  lr: number,
  seed: number,
  accuracy: number | null,
  curve: readonly number[] = [],
): ComparedJob => ({
  id,
  name: `run ${id}`,
  state: "SUCCEEDED",
  spec: {
    version: 1,
    name: `run ${id}`,
    tags: { n: id },
    train: { lr, seed, epochs: 2 },
    sampling: { fanouts: [5, 5] },
  },
  task: null,
  model: { id: `model ${id}`, metrics: { "test/accuracy": accuracy, "val/accuracy": 0.5 } },
  series: [
    { name: "val/loss", axis: "epoch", steps: curve.map((_, i) => i + 1), values: curve, times: curve.map(() => 0) },
  ],
});
const runs = [run("a", 0.1, 1, 0.8, [4, 2]), run("b", 0.1, 2, 0.6, [2, 1]), run("c", 0.001, 1, 0.9, [3])];

test("an address names each run once, at most a hundred, and nothing that is no id", () => {
  expect(namedJobs("job_1,job_2,job_1,,<script>")).toEqual(["job_1", "job_2"]);
  expect(namedJobs(Array.from({ length: 130 }, (_, i) => `job_${i}`).join(","))).toHaveLength(100);
  expect(namedJobs(undefined)).toEqual([]);
});

test("runs that differ in their seeds alone are one group when that is asked for, in the first one's colour", () => {
  expect(groupsOf(runs, true).map(({ id, name, jobs, color }) => [id, name, jobs.length, color])).toEqual([
    ["a", "run a (2 runs)", 2, runColor("a")],
    ["c", "run c", 1, runColor("c")],
  ]);
});

test("a run keeps its colour in any company; two of one colour have dashes of their own", () => {
  const many = Array.from({ length: 30 }, (_, i) => run(`job_${i}`, i, 1, null));
  const groups = groupsOf(many, false);
  for (const { id, color } of groupsOf(many.toReversed(), false)) {
    expect(groups.find((group) => group.id === id)?.color).toBe(color);
  }
  expect(new Set(groups.map(({ color, dash }) => `${color} ${dash}`)).size).toBe(many.length);
});

test("a setting differs when some group has it otherwise; names and tags are no settings", () => {
  const differing = (bySeed: boolean) => parameterRows(groupsOf(runs, bySeed)).filter(({ differs }) => differs);
  expect(differing(false).map(({ path }) => path)).toEqual(["train.lr", "train.seed"]);
  const [lr, seed] = differing(true);
  expect(lr?.values).toEqual([[0.1], [0.001]]);
  expect(seed?.values, "a group of several seeds names them all").toEqual([[1, 2], [1]]);
  expect(parameterRows(groupsOf(runs, false)).find(({ path }) => path === "sampling.fanouts")?.differs).toBe(false);
});

test("a group has the mean of its runs and their sample standard deviation", () => {
  expect(spreadOf([0.8, 0.6, null])).toEqual({
    mean: expect.closeTo(0.7),
    deviation: expect.closeTo(Math.SQRT2 / 10),
    count: 2,
  });
  expect(spreadOf([0.9])).toEqual({ mean: 0.9, deviation: null, count: 1 });
  expect(spreadOf([null])).toBeNull();
  const [test, val] = metricRows(groupsOf(runs, true));
  expect([test?.name, val?.name]).toEqual(["test/accuracy", "val/accuracy"]);
  expect(test?.spreads.map((spread) => spread?.count)).toEqual([2, 1]);
});

test("the curve of a group is the mean at each step that one of its runs has", () => {
  const [group, alone] = groupCurves(groupsOf(runs, true), "val/loss");
  expect(group?.steps).toEqual([1, 2]);
  expect(group?.spreads.map(({ mean }) => mean)).toEqual([3, 1.5]);
  expect(alone?.spreads).toEqual([{ mean: 3, deviation: null, count: 1 }]);
  expect(groupCurves(groupsOf(runs, true), "none")).toEqual([]);
  expect(curveNames(runs), "what was measured once is no curve").toEqual(["val/loss"]);
});

test("parallel axes are of what varies, and of the result; magnitudes stand by their logarithms", () => {
  const axes = parallelAxes(groupsOf(runs, false), "test/accuracy");
  expect(axes.map(({ title }) => title)).toEqual(["train.lr", "train.seed", "accuracy, test"]);
  expect(axes[0]?.places).toEqual([1, 1, 0]);
  expect(axes[2]?.places).toEqual([expect.closeTo(2 / 3), 0, 1]);
  const magnitudes = [run("a", 0.1, 1, null), run("b", 0.01, 1, null), run("c", 0.001, 1, null)];
  const [lr, ...others] = parallelAxes(groupsOf(magnitudes, false), "test/accuracy");
  expect(lr?.places[1]).toBeCloseTo(0.5);
  expect(others, "without a result there is no axis of it").toEqual([]);
});
