import fc from "fast-check";
import { expect, test } from "vitest";
import { partWithHalo } from "../../src/partition/part-with-halo.ts";
import { measurePartition } from "../../src/partition/partition-report.ts";
import { cutInto, edgeArrays, inNeighbors } from "../support/graphs.ts";

const numNodes = 14;

test("a part and its halo are what a search over all edges finds, inner nodes first", async () => {
  await fc.assert(
    fc.asyncProperty(
      edgeArrays(numNodes, 40),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (edges, numParts, hops) => {
        const graph = await cutInto(numParts, numNodes, edges);
        const neighbors = inNeighbors(numNodes, edges);
        const report = await measurePartition(graph, [], hops);
        for (const [p, { firstNode, numNodes: numInner }] of graph.parts.entries()) {
          const inner = Array.from({ length: numInner }, (_, i) => firstNode + i);
          const rings = [inner];
          for (let hop = 0; hop < hops; hop++) {
            const seen = new Set(rings.flat());
            const next = new Set(rings[hop]!.flatMap((node) => neighbors[node]!).filter((node) => !seen.has(node)));
            rings.push([...next].toSorted((a, b) => a - b));
          }
          const found = partWithHalo(graph, p, hops);
          expect(found.numInner).toBe(numInner);
          expect([...found.globalIds]).toEqual(rings.flat());
          expect(found.haloNodes.at(-1)).toBe(report.parts[p]!.haloNodes);
          expect(found.haloNodes).toHaveLength(hops);
          const { indptr, indices } = found.graph.parts[0]!;
          const columns = rings.slice(0, -1).flat();
          for (const [local, node] of found.globalIds.entries()) {
            const column = indices.subarray(Number(indptr[local]), Number(indptr[local + 1]));
            const expected = local < columns.length ? neighbors[node] : [];
            expect(Array.from(column, (id) => found.globalIds[id])).toEqual(expected);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("with one hop no column of another part is looked at, and edges keep the part's own order and weights", async () => {
  const graph = await cutInto(2, 6, { src: [5, 0, 4, 1], dst: [0, 1, 2, 3], weights: [1, 2, 3, 4] });
  const [own, other] = graph.parts;
  const alone = { ...graph, parts: [own!, { ...other!, indptr: new BigInt64Array(0), indices: new Int32Array(0) }] };
  const { globalIds, graph: local } = partWithHalo(alone, 0);
  expect([...globalIds]).toEqual([0, 1, 2, 4, 5]);
  expect([...local.parts[0]!.indices]).toEqual([4, 0, 3]);
  expect(local.parts[0]!.weights).toEqual(own!.weights);
});

test.each([
  [2, 1, /part 2 of 2/],
  [0, 0, /halo of 0 hops/],
])("refuses part %i with %i hops", async (part, hops, message) => {
  const graph = await cutInto(2, 4, { src: [0], dst: [3] });
  expect(() => partWithHalo(graph, part, hops)).toThrow(message);
});
