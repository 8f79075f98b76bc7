import { expect, test } from "vitest";
import { countCorrect } from "../../src/tasks/metrics.ts";
import { SplitTally } from "../../src/tasks/split-tally.ts";

// Four nodes, two classes. Cross-entropy of logits [a, b] at class 0 is ln(1 + e^(b-a)).
//   node  logits    label  largest  cross-entropy
//   0     [0, 0]    1      0        ln 2
//   1     [ln3, 0]  0      0        ln(1 + 1/3) = ln 4/3
//   2     [0, ln3]  0      1        ln(1 + 3) = ln 4
const logits = new Float32Array([0, 0, Math.log(3), 0, 0, Math.log(3)]);
const labels = new Int32Array([1, 0, 0]);

function tallyOf(classWeights: number[], nodes: number[] = [0, 1, 2]) {
  const tally = new SplitTally(Float32Array.from(classWeights), labels);
  for (const node of nodes) tally.addRow(logits, node, node);
  return tally.metrics;
}

test("loss is the mean cross-entropy and accuracy the share of rows whose largest logit is the label", () => {
  const metrics = tallyOf([1, 1]);
  expect(metrics["loss"]).toBeCloseTo((Math.log(2) + Math.log(4 / 3) + Math.log(4)) / 3, 6);
  expect(metrics["accuracy"]).toBe(1 / 3);
});

test("class weights weigh the loss and leave accuracy alone", () => {
  const metrics = tallyOf([1, 3]);
  expect(metrics["loss"]).toBeCloseTo((3 * Math.log(2) + Math.log(4 / 3) + Math.log(4)) / (3 + 1 + 1), 6);
  expect(metrics["accuracy"]).toBe(1 / 3);
});

test("nothing to average gives null, not NaN", () => {
  expect(tallyOf([1, 1], [])).toEqual({ loss: null, accuracy: null, macroF1: null, microF1: null });
});

test("large logits do not overflow", () => {
  const tally = new SplitTally(Float32Array.of(1, 1), Int32Array.of(1));
  tally.addRow(new Float32Array([1000, 0]), 0, 0);
  expect(tally.metrics["loss"]).toBeCloseTo(1000, 3);
});

test("of equal logits the first class is predicted, and an unlabelled row is never right", () => {
  expect(countCorrect(new Float32Array([1, 1, 1, 1, 1, 1]), new Int32Array([0, 1, -1]), 2)).toBe(1);
});
