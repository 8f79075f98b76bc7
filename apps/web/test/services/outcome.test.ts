import { expect, test } from "vitest";
import { doubtOf } from "../../src/services/outcome.ts";

type Job = Parameters<typeof doubtOf>[0];

const loss = (values: (number | null)[]): Job["series"][number] => ({
  name: "train/loss",
  axis: "epoch",
  steps: values.map((_, step) => step),
  values,
  times: values.map(() => 0),
});

function trained(counts: number[][] | null, values: (number | null)[] = [1.1, 0.4], metrics: object = {}): Job {
  const classes = counts?.map((_, index) => `class ${index}`);
  const info = { confusion: counts && { split: "test", classes, counts } };
  return { series: [loss(values)], model: { id: "art_1", metrics, info, epochs: 2, downloads: [] } };
}

const good = [
  [50, 10],
  [5, 35],
];

test("a model that is right more often than the most frequent class is beyond doubt", () => {
  expect(doubtOf(trained(good))).toBeNull();
  expect(doubtOf(trained(null))).toBeNull();
  expect(doubtOf({ series: [], model: null })).toBeNull();
});

test("a loss that grew to twice its beginning, or is no number at the end, is said to have diverged", () => {
  expect(doubtOf(trained(good, [1.1, 0.9, 8.5]))?.title).toBe("The training diverged");
  expect(doubtOf(trained(good, [1.1, null]))?.title).toBe("The training diverged");
  // A bump on the way is none.
  expect(doubtOf(trained(good, [1.1, 9, 0.5]))).toBeNull();
});

test("a model that says one class of every node is named with the class", () => {
  const collapsed = [
    [0, 60],
    [0, 40],
  ];
  const doubt = doubtOf(trained(collapsed));
  expect(doubt?.title).toBe("The model says the same of everything");
  expect(doubt?.detail).toContain("“class 1”");
});

test("accuracy at or below that of the most frequent class is no better than guessing", () => {
  const guessed = [
    [55, 5],
    [38, 2],
  ];
  const doubt = doubtOf(trained(guessed));
  expect(doubt?.title).toBe("The model is no better than guessing");
  expect(doubt?.detail).toContain("57.0 %");
  expect(doubt?.detail).toContain("“class 0”");
});

test("test nodes of one class alone, or one class in all, tell nothing", () => {
  expect(
    doubtOf(
      trained([
        [9, 0],
        [0, 0],
      ]),
    ),
  ).toBeNull();
  expect(doubtOf(trained([[9]]))).toBeNull();
});

test("numbers that are predicted no better than by their mean are doubted", () => {
  expect(doubtOf(trained(null, [1, 0.9], { "test/r2": -0.2 }))?.title).toBe("The model is no better than the mean");
  expect(doubtOf(trained(null, [1, 0.9], { "test/r2": 0.3 }))).toBeNull();
});

test("a validation loss that grew for ten epochs while the training's fell is overfitting", () => {
  const train = Array.from({ length: 20 }, (_, i) => 1 / (i + 1));
  const val = train.map((_, i) => (i < 6 ? 1 - i / 10 : 0.5 + (i - 5) / 20));
  const job = trained(good, train);
  const series = [...job.series, { ...loss(val), name: "val/loss" }];
  const doubt = doubtOf({ ...job, series });
  expect(doubt?.title).toBe("The model overfits");
  // Least at epoch 5 with 0.5; 1.2 at the end.
  expect(doubt?.detail).toContain("Since epoch 5 ");
  expect(doubt?.detail).toContain("2.4 times");
  const lately = val.map((value, i) => (i < 15 ? 1 - i / 20 : value));
  expect(doubtOf({ ...job, series: [...job.series, { ...loss(lately), name: "val/loss" }] })).toBeNull();
  const growing = trained(good, val);
  expect(doubtOf({ ...growing, series: [...growing.series, { ...loss(val), name: "val/loss" }] })).toBeNull();
});
