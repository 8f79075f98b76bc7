import { describe, expect, it, test } from "vitest";
import { calibrationInfo } from "../../src/spec/calibration-info.ts";
import { calibrate } from "../../src/tasks/calibrate.ts";
import { binOf, reliabilityOf } from "../../src/tasks/reliability.ts";
import { fitTemperature, likelihoodAt, type ScoredNodes } from "../../src/tasks/temperature.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const numClasses = 4;

function softmax(row: Float32Array, temperature = 1): number[] {
  const weights = Array.from(row, (value) => Math.exp(value / temperature));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const rowOf = ({ logits }: ScoredNodes, row: number) => logits.subarray(row * numClasses, (row + 1) * numClasses);

/** Nodes with labels drawn by softmax(logits), which are then multiplied: calibrated at the temperature `times`. */
function drawn(count: number, times: number, seed = 1): ScoredNodes {
  const sound = randomFloats(count * numClasses, seed).map((value) => 3 * value);
  const random = seededRandom(seed + 1);
  const labels = Int32Array.from({ length: count }, (_, row) => {
    let left = random();
    const found = softmax(rowOf({ logits: sound, labels: new Int32Array(), numClasses }, row)).findIndex((p) => {
      left -= p;
      return left < 0;
    });
    return Math.max(0, found);
  });
  return { logits: sound.map((value) => times * value), labels, numClasses };
}

test("logits by whose probabilities the labels were drawn are calibrated, and multiplied by k they need the temperature k", () => {
  const sound = reliabilityOf(drawn(8_000, 1), 1)!;
  expect(sound.ece).toBeLessThan(0.025);
  const own = fitTemperature(drawn(8_000, 1)).temperature!;
  expect(own).toBeCloseTo(1, 1);
  for (const k of [0.25, 3]) {
    const scaled = drawn(8_000, k);
    expect(reliabilityOf(scaled, 1)!.ece).toBeGreaterThan(0.1);
    const { temperature } = fitTemperature(scaled);
    expect(temperature! / (k * own)).toBeCloseTo(1, 6);
    expect(reliabilityOf(scaled, temperature!)!.ece).toBeLessThan(0.025);
  }
});

test("no temperature near the fitted one makes the labels likelier", () => {
  const nodes = drawn(500, 2);
  const { temperature } = fitTemperature(nodes);
  const nll = (at: number) => reliabilityOf(nodes, at)!.nll;
  for (const factor of [0.5, 0.9, 0.999, 1.001, 1.1, 2]) {
    expect(nll(temperature! * factor)).toBeGreaterThan(nll(temperature!));
  }
});

test("slope and curvature of the likelihood are those of finite differences", () => {
  const nodes = drawn(50, 1);
  for (const beta of [0.3, 1, 2.5]) {
    const h = 1e-4;
    const [below, at, above] = [beta - h, beta, beta + h].map((b) => likelihoodAt(nodes, b));
    expect((above!.nll - below!.nll) / (2 * h)).toBeCloseTo(at!.slope, 6);
    expect((above!.slope - below!.slope) / (2 * h)).toBeCloseTo(at!.curvature, 6);
  }
});

test("error, likelihood and bins are those of a count bin by bin", () => {
  const nodes = drawn(700, 1.7, 9);
  for (const temperature of [1, 2.3]) {
    const rows = Array.from(nodes.labels, (label, row) => {
      const probabilities = softmax(rowOf(nodes, row), temperature);
      const confidence = Math.max(...probabilities);
      return { confidence, isRight: probabilities.indexOf(confidence) === label, p: probabilities[label]! };
    });
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const bins = Array.from({ length: 15 }, (_, b) => {
      const held = rows.filter(({ confidence }) => confidence > b / 15 && confidence <= (b + 1) / 15);
      const accuracy = mean(held.map(({ isRight }) => Number(isRight)));
      return { bin: b, count: held.length, confidence: mean(held.map(({ confidence }) => confidence)), accuracy };
    }).filter(({ count }) => count > 0);
    const found = reliabilityOf(nodes, temperature)!;
    expect(found.bins.map(({ bin, count, accuracy }) => [bin, count, accuracy])).toEqual(
      bins.map(({ bin, count, accuracy }) => [bin, count, accuracy]),
    );
    for (const [i, { confidence }] of bins.entries()) expect(found.bins[i]!.confidence).toBeCloseTo(confidence, 12);
    const gaps = bins.map(({ count, accuracy, confidence }) => (count / 700) * Math.abs(accuracy - confidence));
    expect(found.ece).toBeCloseTo(
      gaps.reduce((sum, gap) => sum + gap, 0),
      12,
    );
    expect(found.nll).toBeCloseTo(mean(rows.map(({ p }) => -Math.log(p))), 10);
  }
});

test("a bin holds its upper edge and not its lower one", () => {
  expect([1 / 30, 0.5, 0.6, 0.6 + 1e-9, 1].map(binOf)).toEqual([0, 7, 8, 9, 14]);
});

describe("where a temperature cannot be fitted, none is, and the probabilities stay the model's own", () => {
  const wrong = { logits: Float32Array.of(0, 1, 1, 0), labels: Int32Array.of(0, 1), numClasses: 2 };
  const right = { ...wrong, labels: Int32Array.of(1, 0) };
  it.each([
    ["no validation nodes", { val: null, test: right }, "noValidation"],
    ["every validation node is right: the likelihood grows for ever", { val: right, test: wrong }, "allRight"],
    ["there is one class", { val: { ...right, labels: new Int32Array(4), numClasses: 1 }, test: null }, "allRight"],
    ["the logits tell the wrong class of every node", { val: wrong, test: right }, "outOfRange"],
    [
      "the logits tell nothing",
      { val: { logits: new Float32Array(6), labels: Int32Array.of(0, 1, 0), numClasses: 2 }, test: null },
      "outOfRange",
    ],
  ])("%s", (_, splits, unfitted) => {
    const found = calibrate(splits)!;
    expect(found).toMatchObject({ temperature: null, unfitted });
    expect(found.test?.after ?? null).toBeNull();
    expect(found.test?.before.nodes).toBe(splits.test?.labels.length);
    expect(calibrationInfo.parse(found)).toEqual(found);
  });

  it("logits that are no numbers give no figures that a manifest could not hold", () => {
    const broken = { ...wrong, logits: Float32Array.of(Number.NaN, 1, 1, 0) };
    const found = calibrate({ val: broken, test: broken });
    expect(calibrationInfo.parse(found)).toEqual({ temperature: null, unfitted: "outOfRange", val: null, test: null });
  });

  it("nothing is said where neither split has nodes", () => {
    expect(calibrate({ val: null, test: null })).toBeNull();
  });
});

test("the temperature is that of the validation nodes, and the test nodes are judged by it", () => {
  const [val, other] = [drawn(2_000, 3, 21), drawn(2_000, 3, 33)];
  const found = calibrate({ val, test: other })!;
  expect(found.temperature).toBe(fitTemperature(val).temperature);
  expect(found.test!.after).toEqual(reliabilityOf(other, found.temperature!));
  expect(found.test!.after!.ece).toBeLessThan(found.test!.before.ece / 3);
});
