import { expect, test } from "vitest";
import { classWeights } from "../../src/tasks/class-weights.ts";

//                       0  1  2  3  4   5
const labels = Int32Array.from([0, 0, 0, 1, 2, -1]);

test("balanced weights give every class of the training nodes the same total", () => {
  const nodes = Int32Array.from([0, 1, 2, 3]); // three of class 0, one of class 1
  expect([...classWeights("balanced", labels, nodes, 2)]).toEqual([Math.fround(4 / (2 * 3)), 4 / (2 * 1)]);
});

test("a class without training nodes weighs nothing, and unlabelled nodes do not count", () => {
  const nodes = Int32Array.from([3, 4, 5]);
  expect([...classWeights("balanced", labels, nodes, 4)]).toEqual([0, 2 / 4, 2 / 4, 0]);
});

test("none is one for every class", () => {
  expect([...classWeights("none", labels, new Int32Array(), 3)]).toEqual([1, 1, 1]);
});
