import fc from "fast-check";
import { expect, test } from "vitest";
import { cscFromCoo } from "../../src/graph/csc-from-coo.ts";
import { relationsBetween } from "../../src/links/edge-relations.ts";
import { pairFigures } from "../../src/links/pair-figures.ts";
import { relationFigures, type ScoredLinks } from "../../src/links/relation-figures.ts";

const numNodes = 9;
const edge = fc.tuple(fc.nat(numNodes - 1), fc.nat(numNodes - 1), fc.nat(3));

test("relations between two nodes are those that a look at every edge finds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edge, { minLength: 1, maxLength: 30 }), fc.boolean(), async (rows, directed) => {
      const [src, dst] = [0, 1].map((end) => Int32Array.from(rows, (row) => row[end]!)) as [Int32Array, Int32Array];
      const { indptr, indices, edgeIds } = await cscFromCoo(src, dst, numNodes);
      const types = Int32Array.from(edgeIds, (row) => rows[row]![2]);
      const between = relationsBetween({ indptr, indices, types, directed });
      for (let from = 0; from < numNodes; from++) {
        for (let to = 0; to < numNodes; to++) {
          const joins = ([a, b]: readonly number[]) =>
            (a === from && b === to) || (!directed && a === to && b === from);
          const expected = new Set(rows.filter(joins).map(([, , relation]) => relation));
          expect(between(from, to)).toEqual([...expected].toSorted((a, b) => a - b));
        }
      }
    }),
    { numRuns: 20 },
  );
});

/** Links 0 and 2 are of the relations 1 and 3, link 1 of 2, link 3 of all three. */
const relations = [[1, 3], [2], [1, 3], [1, 2, 3]];
const val: ScoredLinks = {
  positives: Float32Array.of(3, 1, 2, 2),
  negatives: Float32Array.of(1, 2, 5, 0, 2, 2, 9, 1),
  relationsOf: (link) => relations[link]!,
};
const empty: ScoredLinks = { positives: new Float32Array(), negatives: new Float32Array(), relationsOf: () => [] };

test("a relation is judged by its own links and by what was drawn for these", () => {
  const found = relationFigures([val, empty], [1]);
  expect(found.map(({ relations: joined, counts }) => [joined, counts])).toEqual([
    [
      [1, 3],
      [3, 0],
    ],
    [[2], [2, 0]],
  ]);
  expect(found[0]!.figures[0]).toEqual(pairFigures(Float32Array.of(3, 2, 2), Float32Array.of(1, 2, 2, 2, 9, 1), [1]));
  expect(found[1]!.figures[0]).toEqual(pairFigures(Float32Array.of(1, 2), Float32Array.of(5, 0, 9, 1), [1]));
  expect(found[0]!.figures[1]).toEqual({ auc: null, ap: null, mrr: null, "hits@1": null });
});

test("constant scores are chance in each relation", () => {
  const level = { ...val, positives: new Float32Array(4), negatives: new Float32Array(8) };
  for (const { figures, counts } of relationFigures([level])) {
    expect(figures[0]!.auc).toBe(0.5);
    const candidates = 1 + 2 * counts[0]!;
    expect(figures[0]!.mrr).toBeCloseTo(2 / (candidates + 1), 6);
  }
});
