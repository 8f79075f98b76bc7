import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { structuralDim } from "../../src/spec/structural-options.ts";
import { orthonormalizer } from "../../src/structural/orthonormal-columns.ts";
import { withStructuralFeatures } from "../../src/structural/structural-features.ts";

beforeAll(() => selectBackend("native"));

/** Two cliques of 6 joined by one edge, and a node alone */
const numNodes = 13;
const cliques = [0, 6].flatMap((first) =>
  Array.from({ length: 36 }, (_, i) => [first + (i % 6), first + Math.floor(i / 6)]),
);
const pairs = [...cliques.filter(([u, v]) => u! < v!), [0, 6]] as [number, number][];

async function rowsOf(dim: number, hops: number, worldSize = 1, numHosts = 1): Promise<number[][]> {
  const src = pairs.map(([u]) => u);
  const graph = await graphFromEdges({ src, dst: pairs.map(([, v]) => v), numNodes, directed: false });
  const memories = Array.from({ length: numHosts }, sharedRowsInMemory);
  const options = { method: "spectral", dim, hops } as const;
  const stores = await Promise.all(
    loopbackGroup(worldSize).map((collective, rank) => {
      const place = { rank, worldSize, localRank: numHosts === 1 ? rank : 0, numHosts };
      const context = { ...place, device: "cpu", threads: 1, collective } as const;
      const sharedRows = memories[rank % numHosts]!;
      const { signal } = new AbortController();
      const parts = { graph, features: noFeatures(numNodes), rank: context, sharedRows, seed: 3, signal };
      return withStructuralFeatures(parts, options);
    }),
  );
  const width = structuralDim(options, numNodes);
  const { values } = stores[0]!.gather(Int32Array.from({ length: numNodes }, (_, i) => i));
  return Array.from({ length: numNodes }, (_, v) => [...values.subarray(v * width, (v + 1) * width)]);
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe("spectral rows", () => {
  test("have length 1, lie together inside a community and apart between two; a node without edges has 0", async () => {
    const rows = (await rowsOf(2, 20)).map((row) => row.slice(1));
    for (const row of rows.slice(0, 12)) expect(dot(row, row)).toBeCloseTo(1, 5);
    expect(rows[12]).toEqual([0, 0]);
    for (const v of [1, 2, 5]) expect(dot(rows[v]!, rows[3]!)).toBeGreaterThan(0.99);
    for (const v of [7, 9, 11]) expect(dot(rows[v]!, rows[3]!)).toBeLessThan(0.5);
  });

  test("are the leading eigenvectors of the walk, found by plain power iteration in float64", async () => {
    // D^½ x is an eigenvector of the symmetric D^-½ A D^-½, to whose first, √degree, the second is orthogonal.
    const neighbours = Array.from({ length: 12 }, (_, v) =>
      pairs.flatMap(([a, b]) => (a === v ? [b] : b === v ? [a] : [])),
    );
    const root = neighbours.map(({ length }) => Math.sqrt(length));
    const first = root.map((value) => value / Math.hypot(...root));
    let second = root.map((_, v) => (v < 6 ? 1 : -1) + v / 50);
    for (let round = 0; round < 500; round++) {
      const next = second.map((_, v) => neighbours[v]!.reduce((sum, u) => sum + second[u]! / (root[u]! * root[v]!), 0));
      const share = dot(next, first);
      const rest = next.map((value, v) => value - share * first[v]!);
      second = rest.map((value) => value / Math.hypot(...rest));
    }
    const rows = (await rowsOf(2, 32)).map((row) => row.slice(1));
    for (let u = 0; u < 12; u++) {
      for (let v = 0; v < 12; v++) {
        // Signs of eigenvectors are free; angles between rows are not.
        const a = [first[u]!, second[u]!];
        const b = [first[v]!, second[v]!];
        expect(dot(rows[u]!, rows[v]!)).toBeCloseTo(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)), 3);
      }
    }
  });

  test("several ranks fill the same rows with the same bits, wider than the graph has directions too", async () => {
    expect(await rowsOf(3, 6, 2)).toEqual(await rowsOf(3, 6));
    expect(await rowsOf(3, 6, 2, 2), "on two hosts").toEqual(await rowsOf(3, 6));
    const rows = await rowsOf(20, 4);
    expect(rows.flat().every(Number.isFinite)).toBe(true);
  });
});

test("columns become orthonormal in their order, and one that depends on others 0", () => {
  const column = fc.array(fc.double({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true }), {
    minLength: 5,
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.tuple(column, column), ([a, b]) => {
      fc.pre(dot(a, a) > 0.1 && dot(a, a) * dot(b, b) - dot(a, b) ** 2 > 0.1);
      const columns = [a, b, a.map((value, i) => 2 * value - b[i]!)];
      const gram = Float64Array.from(columns.flatMap((x) => columns.map((y) => dot(x, y))));
      const inverse = orthonormalizer(gram, 3);
      const made = [0, 1, 2].map((c) =>
        a.map((_, i) => columns.reduce((sum, x, k) => sum + x[i]! * inverse[k * 3 + c]!, 0)),
      );
      expect(dot(made[0]!, made[0]!)).toBeCloseTo(1, 4);
      expect(dot(made[1]!, made[1]!)).toBeCloseTo(1, 4);
      expect(dot(made[0]!, made[1]!)).toBeCloseTo(0, 4);
      expect(made[2]).toEqual([0, 0, 0, 0, 0]);
    }),
    { numRuns: 30 },
  );
});
