import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { structuralDim } from "../../src/spec/structural-options.ts";
import { RandomSigns } from "../../src/structural/random-signs.ts";
import { withStructuralFeatures } from "../../src/structural/structural-features.ts";

beforeAll(() => selectBackend("native"));

const numNodes = 7;
// 0 ← 1, 2; 1 ← 2; 3 ← 0, 1, 2; node 6 is alone
const edges = { src: [1, 2, 2, 0, 1, 2, 4, 5], dst: [0, 0, 1, 3, 3, 3, 5, 4] };
const options = { method: "projection", dim: 3, hops: 2 } as const;
const seed = 5;
const ids = Int32Array.from({ length: numNodes }, (_, i) => i);

async function computed(worldSize: number): Promise<number[]> {
  const graph = await graphFromEdges({ ...edges, numNodes, selfLoops: "drop" });
  const sharedRows = sharedRowsInMemory();
  const features = new DenseFeatureStore(1, [Float32Array.from(ids, (id) => id * 10)]);
  const { signal } = new AbortController();
  const stores = await Promise.all(
    loopbackGroup(worldSize).map((collective, rank) => {
      const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
      return withStructuralFeatures({ graph, features, rank: context, sharedRows, seed, signal }, options);
    }),
  );
  return [...stores[0]!.gather(ids).values];
}

test("columns are own features, degree and normalised means of random signs, hop by hop", async () => {
  const inNeighbours = ids.reduce<number[][]>((all, v) => [...all, edges.src.filter((_, e) => edges.dst[e] === v)], []);
  let rows = Array.from(ids, (id) => [...new RandomSigns(numNodes, 3, seed).gather(Int32Array.of(id)).values]);
  const expected = Array.from(ids, (id) => [id * 10, Math.log(1 + inNeighbours[id]!.length)]);
  for (let hop = 0; hop < options.hops; hop++) {
    rows = inNeighbours.map((sources) => {
      const mean = [0, 1, 2].map(
        (c) => sources.reduce((sum, u) => sum + rows[u]![c]!, 0) / Math.max(1, sources.length),
      );
      const length = Math.hypot(...mean);
      return mean.map((value) => (length > 0 ? value / length : 0));
    });
    for (const [v, row] of rows.entries()) expected[v]!.push(...row);
  }
  const found = await computed(1);
  expect(found).toHaveLength(numNodes * (1 + structuralDim(options, numNodes)));
  for (const [i, value] of expected.flat().entries()) expect(found[i]).toBeCloseTo(value, 5);
});

test("several ranks fill the same rows with the same bits", async () => {
  const one = await computed(1);
  expect(await computed(2)).toEqual(one);
  expect(await computed(3)).toEqual(one);
});

test("signs are as often plus as minus, and another seed gives others", () => {
  const nodes = Int32Array.from({ length: 500 }, (_, i) => i);
  const { values } = new RandomSigns(500, 40, 1).gather(nodes);
  expect(new Set(values)).toEqual(new Set([1, -1]));
  expect(Math.abs(values.reduce((sum, value) => sum + value, 0))).toBeLessThan(4 * Math.sqrt(values.length));
  expect(new RandomSigns(500, 40, 2).gather(nodes).values).not.toEqual(values);
});
