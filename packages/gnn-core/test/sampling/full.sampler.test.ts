import fc from "fast-check";
import { expect, test } from "vitest";
import { fullSampler } from "../../src/sampling/full.sampler.ts";
import { fullBlock } from "../../src/sampling/full-block.ts";
import { pickedOf, samplerSuite } from "../conformance/sampler.suite.ts";
import { cutInto, edgeArrays, inNeighbors } from "../support/graphs.ts";

samplerSuite({
  name: "full",
  numHops: 2,
  create: (context) => fullSampler.create({}, context),
  expectedPicks: (degree) => degree,
  replace: false,
});

test("the full block of a range has every in-edge of its nodes, across parts", async () => {
  await fc.assert(
    fc.asyncProperty(
      edgeArrays(12, 60),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(12),
      fc.nat(12),
      async (edges, parts, a, b) => {
        const graph = await cutInto(parts, 12, edges);
        const first = Math.min(a, b);
        const end = Math.max(a, b);
        const block = await fullBlock(graph, first, end - first);
        const neighbors = inNeighbors(12, edges);
        expect([...block.srcIds.subarray(0, block.numDst)]).toEqual(
          Array.from({ length: end - first }, (_, i) => first + i),
        );
        for (let dst = 0; dst < block.numDst; dst++) expect(pickedOf(block, dst)).toEqual(neighbors[first + dst]);
      },
    ),
  );
});

test("with all nodes as seeds every hop has the edges of the whole graph, in the same arrays", async () => {
  await fc.assert(
    fc.asyncProperty(edgeArrays(9, 40), fc.integer({ min: 1, max: 3 }), async (edges, numHops) => {
      const graph = await cutInto(1, 9, edges);
      const sampler = await fullSampler.create({}, { graph, numHops, seed: 1 });
      const blocks = await sampler.sample(
        Int32Array.from({ length: 9 }, (_, node) => node),
        { epoch: 0, step: 0 },
      );
      const neighbors = inNeighbors(9, edges);
      expect(blocks).toHaveLength(numHops);
      for (const block of blocks) {
        for (let dst = 0; dst < 9; dst++) expect(pickedOf(block, dst)).toEqual(neighbors[dst]);
        expect(block.indices).toBe(blocks[0]?.indices);
      }
    }),
  );
});
