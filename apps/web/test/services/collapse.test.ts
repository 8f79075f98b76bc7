import { expect, test } from "vitest";
import { collapseScore, hasCollapsed } from "../../src/services/collapse.ts";

test("the score is 0 for an even spread, 1 for a line, and lies between for what is in between", () => {
  expect(collapseScore(64, 64)).toBe(0);
  expect(collapseScore(1, 64)).toBe(1);
  expect(collapseScore(3, 5)).toBe(0.5);
  // All the same: no eigenvalue is above zero, and the effective dimension is 0.
  expect(collapseScore(0, 5)).toBe(1);
});

test("what is not known, or has one dimension only, has no score", () => {
  expect(collapseScore(null, 64)).toBeNull();
  expect(collapseScore(1, 1)).toBeNull();
});

test("embeddings on one line have collapsed; those of a few classes have not", () => {
  expect([0, 1, 1.4].map(hasCollapsed)).toEqual([true, true, true]);
  expect([2, 6, null].map(hasCollapsed)).toEqual([false, false, false]);
});
