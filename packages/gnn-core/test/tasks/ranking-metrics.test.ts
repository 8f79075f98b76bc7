import fc from "fast-check";
import { expect, test } from "vitest";
import { averagePrecision, rankScores, rocAuc } from "../../src/tasks/ranking-metrics.ts";

function ranked(labels: readonly number[], scores: readonly number[]) {
  return rankScores(
    labels.length,
    (i) => scores[i]!,
    (i) => labels[i] === 1,
  );
}

test("the table of scikit-learn's documentation: 3 of 4 pairs in order", () => {
  const table = ranked([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]);
  expect(rocAuc(table)).toBe(3 / 4); // only 0.35 < 0.4 is out of order
  expect(averagePrecision(table)).toBeCloseTo((1 / 2) * 1 + (1 / 2) * (2 / 3), 12); // at 0.8: 1 of 1; at 0.35: 2 of 3
});

test("a tie counts half, and equal scores are one threshold", () => {
  const table = ranked([1, 0, 1, 0], [0.5, 0.5, 0.9, 0.1]);
  expect(rocAuc(table)).toBe((0.5 + 1 + 2) / 4);
  expect(averagePrecision(table)).toBeCloseTo((1 / 2) * 1 + (1 / 2) * (2 / 3), 12);
});

test("perfect, reversed and constant scores", () => {
  expect([rocAuc(ranked([0, 0, 1], [1, 2, 3])), averagePrecision(ranked([0, 0, 1], [1, 2, 3]))]).toEqual([1, 1]);
  expect(rocAuc(ranked([1, 0, 0], [1, 2, 3]))).toBe(0);
  expect(averagePrecision(ranked([1, 0, 0], [1, 2, 3]))).toBeCloseTo(1 / 3, 12);
  expect([rocAuc(ranked([1, 0, 0], [7, 7, 7])), averagePrecision(ranked([1, 0, 0], [7, 7, 7]))]).toEqual([0.5, 1 / 3]);
});

test("without a member both are undefined; without a non-member only the area is", () => {
  expect([rocAuc(ranked([0], [1])), averagePrecision(ranked([0], [1]))]).toEqual([null, null]);
  expect([rocAuc(ranked([1], [1])), averagePrecision(ranked([1], [1]))]).toEqual([null, 1]);
});

test("on any table they are what counting over all pairs and all thresholds gives", () => {
  const rows = fc.array(fc.record({ label: fc.integer({ min: 0, max: 1 }), score: fc.integer({ min: 0, max: 6 }) }));
  fc.assert(
    fc.property(rows, (table) => {
      const scoresOf = (label: number) => table.filter((row) => row.label === label).map(({ score }) => score);
      const negatives = scoresOf(0);
      const positives = scoresOf(1);
      const found = ranked(
        table.map(({ label }) => label),
        table.map(({ score }) => score),
      );
      const pairs = positives.flatMap((p) => negatives.map((n) => (p > n ? 1 : p === n ? 0.5 : 0)));
      const mean = pairs.reduce<number>((sum, win) => sum + win, 0) / pairs.length;
      if (pairs.length === 0) expect(rocAuc(found)).toBeNull();
      else expect(rocAuc(found)).toBeCloseTo(mean, 12);
      if (positives.length > 0) {
        const precisions = positives.map((at) => {
          const above = (scores: number[]) => scores.filter((score) => score >= at).length;
          return above(positives) / (above(positives) + above(negatives));
        });
        const expected = precisions.reduce((sum, p) => sum + p, 0) / positives.length;
        expect(averagePrecision(found)).toBeCloseTo(expected, 12);
      }
    }),
  );
});
