import fc from "fast-check";
import { expect, test } from "vitest";
import { meanRank } from "../../src/links/mean-rank.ts";
import { pairFigures, ranksAmong } from "../../src/links/pair-figures.ts";
import { hitsAt, meanReciprocalRank, ndcgAt, ranksBySource, recallAt } from "../../src/links/rank-figures.ts";

test("constant scores give the mean rank, raw and filtered, for every node", () => {
  const scores = new Float32Array(9).fill(0.3);
  for (const node of scores.keys()) {
    expect(meanRank(scores, node, [])).toBe((9 + 1) / 2);
    expect(meanRank(scores, node, [0, 4])).toBe(((node === 0 || node === 4 ? 8 : 7) + 1) / 2);
  }
});

test("a score that is not a number is never an advantage", () => {
  expect(meanRank(Float32Array.of(Number.NaN, 1, 2), 0, [])).toBe(3);
  expect(meanRank(Float32Array.of(Number.NaN, 1, 2), 2, [])).toBe(2);
});

const scoreTable = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 12 });

test("the rank is the mean over all orders of the ties: what sorting with every tie-break gives", () => {
  fc.assert(
    fc.property(scoreTable, fc.nat(99), fc.array(fc.nat(99)), (values, at, out) => {
      const target = at % values.length;
      const leftOut = [...new Set(out.map((node) => node % values.length))];
      const candidates = values.map((_, node) => node).filter((node) => node === target || !leftOut.includes(node));
      const placeOf = (tieBreak: 1 | -1) =>
        1 + candidates.filter((node) => node !== target && (values[node]! - values[target]!) * 2 + tieBreak > 0).length;
      // The best place its ties allow and the worst one
      const expected = (placeOf(-1) + placeOf(1)) / 2;
      expect(meanRank(Float32Array.from(values), target, leftOut)).toBe(expected);
    }),
  );
});

test("ranks among fixed negatives are those among all nodes", () => {
  fc.assert(
    fc.property(scoreTable, fc.integer({ min: 0, max: 5 }), (negatives, score) => {
      const all = Float32Array.of(score, ...negatives);
      const [rank] = ranksAmong(Float32Array.of(score), Float32Array.from(negatives).toSorted());
      expect(rank).toBe(meanRank(all, 0, []));
    }),
  );
});

test("MRR and hits are the means of 1/rank and of rank ≤ k", () => {
  const ranks = Float32Array.of(1, 2, 2.5, 10);
  expect(meanReciprocalRank(ranks)).toBeCloseTo((1 + 1 / 2 + 1 / 2.5 + 1 / 10) / 4, 12);
  expect([1, 2, 3, 10].map((k) => hitsAt(ranks, k))).toEqual([1 / 4, 2 / 4, 3 / 4, 1]);
  expect([meanReciprocalRank(new Float32Array()), hitsAt(new Float32Array(), 1)]).toEqual([null, null]);
});

test("recall and NDCG are means over sources, of which one has fewer targets than k and one more", () => {
  const bySource = ranksBySource(Int32Array.of(7, 7, 3, 7), Float32Array.of(1, 4, 2, 3));
  expect(recallAt(bySource, 3)).toBeCloseTo((2 / 3 + 1) / 2, 12);
  const gain = (rank: number) => 1 / Math.log2(1 + rank);
  const best7 = gain(1) + gain(2) + gain(3);
  expect(ndcgAt(bySource, 3)).toBeCloseTo(((gain(1) + gain(3)) / best7 + gain(2) / gain(1)) / 2, 12);
  expect([recallAt(new Map(), 3), ndcgAt(new Map(), 3)]).toEqual([null, null]);
});

test("the best order has NDCG 1, and constant scores have AUC 1/2 and MRR of the mean rank", () => {
  expect(ndcgAt(new Map([[0, [1, 2, 3]]]), 2)).toBeCloseTo(1, 12);
  const constant = pairFigures(new Float32Array(4).fill(1), new Float32Array(4).fill(1));
  expect(constant).toEqual({ auc: 0.5, ap: 0.5, mrr: expect.closeTo(1 / 3, 6) }); // rank 1 + 4/2 among 4 negatives
  expect(pairFigures(Float32Array.of(2, 3), Float32Array.of(1))).toEqual({ auc: 1, ap: 1, mrr: 1 });
  expect(pairFigures(new Float32Array(), Float32Array.of(1))).toEqual({ auc: null, ap: null, mrr: null });
});
