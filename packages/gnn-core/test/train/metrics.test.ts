import { expect, test } from "vitest";
import { addSums, countCorrect, evaluateLogits, metricsOf, noSums } from "../../src/train/metrics.ts";

// Four nodes, two classes. Cross-entropy of logits [a, b] at class 0 is ln(1 + e^(b-a)).
//   node  logits    label  largest  cross-entropy
//   0     [0, 0]    1      0        ln 2
//   1     [ln3, 0]  0      0        ln(1 + 1/3) = ln 4/3
//   2     [0, ln3]  0      1        ln(1 + 3) = ln 4
//   3     [5, 1]    -1     (unlabelled)
const logits = new Float32Array([0, 0, Math.log(3), 0, 0, Math.log(3), 5, 1]);
const labels = new Int32Array([1, 0, 0, -1]);
const ones = new Float32Array([1, 1]);

test("loss is the mean cross-entropy and accuracy the share of rows whose largest logit is the label", () => {
  const metrics = metricsOf(evaluateLogits(logits, labels, ones, () => true));
  expect(metrics.loss).toBeCloseTo((Math.log(2) + Math.log(4 / 3) + Math.log(4)) / 3, 6);
  expect(metrics.accuracy).toBe(1 / 3);
});

test("class weights weigh the loss and leave accuracy alone", () => {
  const metrics = metricsOf(evaluateLogits(logits, labels, new Float32Array([1, 3]), () => true));
  expect(metrics.loss).toBeCloseTo((3 * Math.log(2) + Math.log(4 / 3) + Math.log(4)) / (3 + 1 + 1), 6);
  expect(metrics.accuracy).toBe(1 / 3);
});

test("rows that are not included do not count", () => {
  const sums = evaluateLogits(logits, labels, ones, (row) => row === 1);
  expect(sums).toMatchObject({ correct: 1, count: 1, weightSum: 1 });
});

test("sums over parts add up to the sums of the whole", () => {
  const whole = evaluateLogits(logits, labels, ones, () => true);
  const even = evaluateLogits(logits, labels, ones, (row) => row % 2 === 0);
  const odd = evaluateLogits(logits, labels, ones, (row) => row % 2 === 1);
  const sum = addSums(addSums(noSums, even), odd);
  expect(sum.lossSum).toBeCloseTo(whole.lossSum, 12);
  expect(sum).toMatchObject({ weightSum: 3, correct: 1, count: 3 });
});

test("nothing to average gives null, not NaN", () => {
  expect(metricsOf(noSums)).toEqual({ loss: null, accuracy: null });
});

test("large logits do not overflow", () => {
  const { lossSum } = evaluateLogits(new Float32Array([1000, 0]), new Int32Array([1]), ones, () => true);
  expect(lossSum).toBeCloseTo(1000, 3);
});

test("of equal logits the first class is predicted, and an unlabelled row is never right", () => {
  expect(countCorrect(new Float32Array([1, 1, 1, 1, 1, 1]), new Int32Array([0, 1, -1]), 2)).toBe(1);
});
