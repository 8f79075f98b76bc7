import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { linearProbe } from "../../src/contrast/linear-probe.ts";
import { minimize } from "../../src/contrast/minimize.ts";
import { seededRandom } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

test("the least value of a quadratic is where its closed form says", () => {
  // f(x) = ½·Σ a_i·(x_i − c_i)², curvatures from 1 to 1,000
  const scales = [1, 10, 100, 1000];
  const center = [3, -2, 0.5, 7];
  const found = minimize(new Float64Array(4), 100, (x) => {
    const off = Array.from(x, (value, i) => value - center[i]!);
    const value = off.reduce((sum, each, i) => sum + (scales[i]! * each ** 2) / 2, 0);
    return { value, gradient: Float64Array.from(off, (each, i) => scales[i]! * each) };
  });
  for (const [i, value] of found.entries()) expect(value).toBeCloseTo(center[i]!, 3);
});

/** Directions of classes with noise, which no class has a share in where `signal` is 0 */
function rowsOf(labels: Int32Array, dim: number, signal: number): Float32Array {
  const random = seededRandom(9);
  return Float32Array.from({ length: labels.length * dim }, (_, i) => {
    const own = labels[Math.floor(i / dim)] === i % dim ? signal : 0;
    return random() - 0.5 + own;
  });
}

const numNodes = 600;
const labels = Int32Array.from({ length: numNodes }, (_, node) => node % 3);
const nodes = Int32Array.from({ length: numNodes }, (_, node) => node);
const sides = { train: nodes.subarray(0, 200), val: nodes.subarray(200, 400), test: nodes.subarray(400) };

test("rows that hold the classes are told apart, and rows that do not by chance alone", () => {
  const told = linearProbe({ rows: rowsOf(labels, 8, 2), dim: 8 }, { labels, numClasses: 3, ...sides });
  expect(told.test).toBeGreaterThan(0.97);
  const guessed = linearProbe({ rows: rowsOf(labels, 8, 0), dim: 8 }, { labels, numClasses: 3, ...sides });
  expect(guessed.test).toBeLessThan(0.45);
});

test("without validation nodes, or with one class, there is no choice to make and nothing to tell", () => {
  const rows = rowsOf(labels, 8, 2);
  const without = linearProbe({ rows, dim: 8 }, { labels, numClasses: 3, ...sides, val: new Int32Array() });
  expect(without.val).toBeNull();
  expect(without.test).toBeGreaterThan(0.97);
  const alike = linearProbe({ rows, dim: 8 }, { labels: labels.map(() => 0), numClasses: 3, ...sides });
  expect(alike).toEqual({ val: null, test: null });
});
