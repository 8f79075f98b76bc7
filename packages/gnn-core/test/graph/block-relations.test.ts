import { expect, test } from "vitest";
import type { Block } from "../../src/graph/block.ts";
import { relationsOf } from "../../src/graph/block-relations.ts";
import { withReverse } from "../../src/graph/reverse-edges.ts";
import { withSortedRelations } from "../../src/sampling/with-sorted-relations.ts";
import { seededRandom } from "../support/seeded-random.ts";

const [numSrc, numDst, numRelations] = [50, 20, 7];

/** Arrays of their own each time, of equal edges; some rows have none. */
function block(): Block {
  const random = seededRandom(4);
  const degrees = Array.from({ length: numDst }, (_, dst) => (dst % 6 === 0 ? 0 : Math.floor(random() * 12)));
  const indptr = Int32Array.from({ length: numDst + 1 }, (_, dst) => degrees.slice(0, dst).reduce((a, b) => a + b, 0));
  const draw = (below: number) => Math.floor(random() * below);
  const numEdges = indptr[numDst] as number;
  const types = new Int32Array(numEdges);
  for (let dst = 0; dst < numDst; dst++) {
    const own = types.subarray(indptr[dst], indptr[dst + 1]);
    own.set(own.map(() => draw(numRelations)).toSorted());
  }
  const indices = Int32Array.from({ length: numEdges }, () => draw(numSrc));
  const srcIds = Int32Array.from({ length: numSrc }, (_, row) => row);
  return { ...withReverse({ device: "cpu", numSrc, numDst, indptr, indices, srcIds, weights: null }), types };
}

test("edges sorted ahead are those that are sorted when somebody reads them", async () => {
  const read = relationsOf(block(), numRelations);
  const expected = { byDst: read.byDst, bySrc: read.bySrc };
  const ahead = relationsOf(block(), numRelations);
  await ahead.sortAhead();
  const [byDst, bySrc] = [ahead.byDst, ahead.bySrc];
  expect(byDst).toEqual(expected.byDst);
  expect(bySrc).toEqual(expected.bySrc);
  await ahead.sortAhead();
  expect(ahead.bySrc).toBe(bySrc);
});

test("blocks of a sampler that sorts ahead are sorted once they are arranged, those without types are left alone", async () => {
  const { types: _none, ...untyped } = block();
  const given = [block(), untyped];
  const sampler = withSortedRelations({ sample: async () => given }, numRelations);
  const blocks = await sampler.sample(new Int32Array(), { epoch: 0, step: 0 });
  expect(relationsOf(given[0] as Block, numRelations).arrays).toHaveLength(0);
  await sampler.arrange?.(blocks);
  expect(relationsOf(given[0] as Block, numRelations).arrays).toHaveLength(8);
});

test("a type that the graph does not have is refused where it is sorted ahead, too", async () => {
  await expect(relationsOf(block(), 2).sortAhead()).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
});
