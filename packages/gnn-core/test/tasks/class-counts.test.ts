import { expect, test } from "vitest";
import { countNode, f1Of, noClassCounts } from "../../src/tasks/class-counts.ts";

// label 0 0 1 1 2    class  TP  predicted  actual  F1 = 2·TP / (predicted + actual)
// guess 0 1 1 1 0    0      1   2          2       2/4
//                    1      2   3          2       4/5
//                    2      0   0          1       0
const labels = [0, 0, 1, 1, 2];
const guesses = [0, 1, 1, 1, 0];

function counted(numClasses: number) {
  const counts = noClassCounts(numClasses);
  for (const [i, label] of labels.entries()) countNode(counts, label, guesses[i]!);
  return counts;
}

test("macro F1 is the mean over the classes, micro F1 that of all counts together", () => {
  const { macroF1, microF1 } = f1Of(counted(3));
  expect(macroF1).toBeCloseTo((2 / 4 + 4 / 5 + 0) / 3, 12);
  expect(microF1).toBeCloseTo((2 * 3) / (5 + 5), 12); // the accuracy, 3 of 5
});

test("a class that neither occurs nor is predicted does not pull the mean down", () => {
  expect(f1Of(counted(5)).macroF1).toBe(f1Of(counted(3)).macroF1);
});

test("nothing counted gives null", () => {
  expect(f1Of(noClassCounts(3))).toEqual({ macroF1: null, microF1: null });
});
