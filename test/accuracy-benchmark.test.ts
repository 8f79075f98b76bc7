import { expect, test } from "vitest";
import { frequencyBaseline } from "../benchmarks/accuracy/baselines.ts";
import { chooseRows } from "../benchmarks/accuracy/choose-rows.ts";
import { judge, spreadOf } from "../benchmarks/accuracy/judge.ts";
import { allRows } from "../benchmarks/accuracy/rows.ts";
import {
  labelSetsOf,
  partitionStepOptions,
  splitCode,
  type TrainingData,
  trainStepOptions,
} from "../packages/gnn-core/src/index.ts";

const { train, val, test: testing } = splitCode;

/** Two training, two validation, two test nodes and one of unknown labels; training says: 0 and 2 twice, 1 once. */
function labelled(validation: number[][]): TrainingData {
  const labels = [[0, 2], [0, 1, 2], ...validation, [0], [1, 2], null];
  const split = Int8Array.from([train, train, val, val, testing, testing, testing]);
  return { labelSets: labelSetsOf(labels, 3), split } as unknown as TrainingData;
}

test("the frequency baseline gives every node the labels that validation asks for, most frequent first", () => {
  // k = 1 predicts {0}: validation 2·2/(2+2) = 1; test: 1 hit, 2 predicted, 3 actual.
  expect(frequencyBaseline(labelled([[0], [0]]))).toBeCloseTo((2 * 1) / (2 + 3), 12);
  // k = 2 predicts {0, 2}: 2·4/(4+5) beats {0} with 2·2/(2+5) and all three with 2·5/(6+5) > 8/9, so k = 3.
  expect(
    frequencyBaseline(
      labelled([
        [0, 2],
        [0, 1, 2],
      ]),
    ),
  ).toBeCloseTo((2 * 3) / (6 + 3), 12);
  expect(
    frequencyBaseline(
      labelled([
        [0, 2],
        [0, 2],
      ]),
    ),
  ).toBeCloseTo((2 * 2) / (4 + 3), 12);
});

test("an aim is a number, a distance to another row, or a margin above the best baseline", () => {
  const means = new Map([
    ["full", 0.95],
    ["mlp", 0.7],
    ["frequency", 0.72],
  ]);
  const meanOf = (name: string) => means.get(name)!;
  expect(judge(0.815, { atLeast: 0.805 }, meanOf)).toMatchObject({ aim: 0.805, reached: true });
  expect(judge(0.815, { atLeast: 0.805 }, meanOf).margin).toBeCloseTo(1, 9);
  expect(judge(0.939, { within: 0.01, of: "full" }, meanOf)).toMatchObject({ reached: false });
  expect(judge(0.939, { within: 0.01, of: "full" }, meanOf).margin).toBeCloseTo(-0.1, 9);
  expect(judge(0.75, { above: 0.02, baselines: ["mlp", "frequency"] }, meanOf).margin).toBeCloseTo(1, 9);
});

test("mean and deviation are those of a sample", () => {
  expect(spreadOf([0.8, 0.82, 0.84])).toEqual({ mean: expect.closeTo(0.82, 12), std: expect.closeTo(0.02, 12) });
  expect(spreadOf([0.8])).toEqual({ mean: 0.8, std: 0 });
});

test("a row brings the rows that it is compared with", () => {
  expect(chooseRows(allRows, "amazon-photo-ladies").map(({ name }) => name)).toEqual([
    "amazon-photo-gcn",
    "amazon-photo-ladies",
  ]);
  expect(chooseRows(allRows, "cora").every(({ data }) => data === "cora")).toBe(true);
  expect(chooseRows(allRows, "cora")).toHaveLength(5);
  expect(() => chooseRows(allRows, "corra")).toThrow(/--only corra: expected some of cora-gcn/);
});

test("every row has its own name, is a job spec, and is compared with rows there are", () => {
  const names = allRows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { spec, aim, split } of allRows) {
    expect(trainStepOptions.parse({ ...spec, task: { target: "label", ...spec.task } })).toBeDefined();
    expect(partitionStepOptions.parse({ split })).toBeDefined();
    if (aim && "of" in aim) expect(names).toContain(aim.of);
  }
});
