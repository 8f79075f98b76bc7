import fc from "fast-check";
import { expect, test } from "vitest";
import { edgeSides } from "../../src/edges/edge-sides.ts";
import { splitCode, withHeldOut } from "../../src/graph/split-nodes.ts";
import { splitLinks } from "../../src/links/split-links.ts";

const { none, train, val, test: held } = splitCode;
const countOf = (split: Int8Array, code: number) => split.filter((each) => each === code).length;

/** Ten nodes of each of two classes to learn from, four to test and one that is on no side. */
const labels = Int32Array.from([...Array<number>(10).fill(0), ...Array<number>(10).fill(1), 0, 0, 1, 1, 0]);
const split = Int8Array.from(labels, (_, node) => (node < 20 ? train : node < 24 ? held : none));

test("where no node chooses, a share of each class's training nodes does; all others stay where they are", () => {
  const found = withHeldOut(split, labels, 0.2);
  for (const label of [0, 1]) {
    const own = found.filter((_, node) => labels[node] === label && node < 20);
    expect([countOf(own, train), countOf(own, val)]).toEqual([10 * 0.8, 10 * 0.2]);
  }
  expect(found.slice(20)).toEqual(split.slice(20));
  expect(withHeldOut(split, labels, 0.2), "the same nodes each time").toEqual(found);
});

test("validation nodes of the dataset are left alone, unless none of them has a label", () => {
  const chosen = split.with(0, val);
  expect(withHeldOut(chosen, labels, 0.2)).toEqual(chosen);
  const unlabelled = labels.with(0, -1);
  expect(countOf(withHeldOut(chosen, unlabelled, 0.2), val)).toBe(1 + 2 + 2);
});

test("a class of one node keeps it", () => {
  expect(withHeldOut(Int8Array.of(train, train), Int32Array.of(0, 1), 0.2)).toEqual(Int8Array.of(train, train));
});

test("folds have no node in common, and hold each training node out once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3), { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 2, max: 9 }),
      (classes, folds) => {
        const trained = new Int8Array(classes.length).fill(train);
        const times = new Int32Array(classes.length);
        for (let fold = 0; fold < folds; fold++) {
          const found = withHeldOut(trained, Int32Array.from(classes), 1 / folds, fold);
          for (const [node, code] of found.entries()) if (code === val) times[node]! += 1;
        }
        expect(times).toEqual(new Int32Array(classes.length).fill(1));
      },
    ),
  );
});

const ring = { src: Array.from({ length: 40 }, (_, i) => i), dst: Array.from({ length: 40 }, (_, i) => (i + 1) % 40) };
const edges = { src: Int32Array.from(ring.src), dst: Int32Array.from(ring.dst) };

test("of links whose column names none to choose by, a share of those that train is held out", async () => {
  const column = Int8Array.from(ring.src, (_, row) => (row < 30 ? train : held));
  const sides = (codes: Int8Array) => ({ type: "column", split: codes, val: 0.1 }) as const;
  const negatives = { perLink: 1, seed: 0 };
  const cut = await splitLinks({ ...edges, numNodes: 40, directed: false }, { sides: sides(column), negatives });
  expect([cut.train.src.length, cut.val.positives.src.length, cut.test.positives.src.length]).toEqual([27, 3, 10]);
  const own = column.with(0, val);
  const kept = await splitLinks({ ...edges, numNodes: 40, directed: false }, { sides: sides(own), negatives });
  expect([kept.train.src.length, kept.val.positives.src.length]).toEqual([29, 1]);
});

test("of labelled edges, too", async () => {
  const column = Int8Array.from(ring.src, (_, row) => (row < 30 ? train : held));
  const given = { split: column, times: null };
  const found = await edgeSides(edges, 40, { type: "given", val: 0.1 }, given);
  expect([countOf(found, train), countOf(found, val), countOf(found, held)]).toEqual([27, 3, 10]);
  expect(await edgeSides(edges, 40, { type: "given" }, given)).toBe(column);
});

test("whatever the split, no node leaves test or comes into training", () => {
  const codes = fc.array(fc.constantFrom(none, train, val, held), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(codes, fc.double({ min: 0.01, max: 0.9, noNaN: true }), (given, share) => {
      const before = Int8Array.from(given);
      const after = withHeldOut(
        before,
        Int32Array.from(before, (_, node) => node % 3),
        share,
      );
      for (const [node, code] of after.entries()) {
        if (code !== before[node]) expect([before[node], code]).toEqual([train, val]);
      }
    }),
  );
});
