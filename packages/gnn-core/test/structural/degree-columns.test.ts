import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { structuralDim } from "../../src/spec/structural-options.ts";
import { degreeColumn } from "../../src/structural/degree-columns.ts";
import { withStructuralFeatures } from "../../src/structural/structural-features.ts";

beforeAll(() => selectBackend("native"));

test("few edges have a column for each number, and four columns share every doubling", () => {
  const columnOf = (degree: number) => degreeColumn(degree, 16);
  expect([0, 1, 2, 7].map(columnOf)).toEqual([0, 1, 2, 7]);
  // 8 · 2^(1/4) = 9.51, 8 · 2^(2/4) = 11.31, 8 · 2^(3/4) = 13.45
  expect([8, 9, 10, 11, 12, 13, 14, 15].map(columnOf)).toEqual([8, 8, 9, 9, 10, 10, 11, 11]);
  expect([16, 32, 1_000_000].map(columnOf)).toEqual([12, 15, 15]);
  expect([0, 5, 1000].map((degree) => degreeColumn(degree, 1))).toEqual([0, 0, 0]);
});

test("each node has the logarithm of its degree and a one in its column, the same on one rank and on three", async () => {
  // A star of five and an edge: degrees 4, 1, 1, 1, 1, then 1, 1, then 0.
  const src = [1, 2, 3, 4, 0, 0, 0, 0, 5, 6];
  const dst = [0, 0, 0, 0, 1, 2, 3, 4, 6, 5];
  const numNodes = 8;
  const graph = await graphFromEdges({ src, dst, numNodes, selfLoops: "drop" });
  const options = { method: "degree", dim: 8, hops: 3 } as const;
  const made = async (worldSize: number) => {
    const sharedRows = sharedRowsInMemory();
    const features = noFeatures(numNodes);
    const { signal } = new AbortController();
    const stores = await Promise.all(
      loopbackGroup(worldSize).map((collective, rank) => {
        const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
        return withStructuralFeatures({ graph, features, rank: context, sharedRows, seed: 1, signal }, options);
      }),
    );
    return [...stores[0]!.gather(Int32Array.from({ length: numNodes }, (_, node) => node)).values];
  };
  const width = structuralDim(options, numNodes);
  expect(width).toBe(1 + 8);
  const expected = Array.from({ length: numNodes }, (_, node) => dst.filter((to) => to === node).length).flatMap(
    (degree) => [Math.log(1 + degree), ...Array.from({ length: 8 }, (_, column) => Number(column === degree))],
  );
  const rows = await made(1);
  expect(rows).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(rows[i]).toBeCloseTo(value, 6);
  expect(await made(3)).toEqual(rows);
});
